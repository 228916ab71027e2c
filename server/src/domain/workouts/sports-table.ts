// Kinds of sport, with the names that the phones' platforms have for them (gap G-93). One line a sport; `sports.ts` reads it.
//   healthkit: HKWorkoutActivityType · health connect: EXERCISE_TYPE_ · "-" none

export const sportsTable = `
sport                | name                           | family    | healthkit                                    | health connect
running              | Running                        | running   | running                                      | RUNNING
trail_running        | Trail running                  | running   | -                                            | -
treadmill_running    | Treadmill running              | running   | -                                            | RUNNING_TREADMILL
track_and_field      | Track and field                | running   | trackAndField                                | -
walking              | Walking                        | walking   | walking                                      | WALKING
hiking               | Hiking                         | hiking    | hiking                                       | HIKING
mountaineering       | Mountaineering                 | hiking    | -                                            | -
wheelchair_walk      | Wheelchair, walking pace       | wheelchair | wheelchairWalkPace                           | -
wheelchair_run       | Wheelchair, running pace       | wheelchair | wheelchairRunPace                            | -
wheelchair           | Wheelchair                     | wheelchair | -                                            | WHEELCHAIR
cycling              | Cycling                        | cycling   | cycling                                      | BIKING
gravel_cycling       | Gravel cycling                 | cycling   | -                                            | -
cyclocross           | Cyclocross                     | cycling   | -                                            | -
mountain_biking      | Mountain biking                | cycling   | -                                            | -
indoor_cycling       | Indoor cycling                 | cycling   | -                                            | BIKING_STATIONARY
e_biking             | E-bike riding                  | cycling   | -                                            | -
hand_cycling         | Hand cycling                   | cycling   | handCycling                                  | -
swimming             | Swimming                       | swimming  | swimming                                     | -
pool_swimming        | Pool swimming                  | swimming  | -                                            | SWIMMING_POOL
open_water_swimming  | Open-water swimming            | swimming  | -                                            | SWIMMING_OPEN_WATER
water_fitness        | Water fitness                  | mixed     | waterFitness                                 | -
triathlon            | Multisport                     | mixed     | swimBikeRun                                  | -
transition           | Multisport transition          | mixed     | transition                                   | -
strength_training    | Strength training              | strength  | traditionalStrengthTraining functionalStrengthTraining | STRENGTH_TRAINING WEIGHTLIFTING BARBELL_SHOULDER_PRESS BENCH_PRESS DEADLIFT DUMBBELL_CURL_LEFT_ARM DUMBBELL_CURL_RIGHT_ARM DUMBBELL_FRONT_RAISE DUMBBELL_LATERAL_RAISE DUMBBELL_TRICEPS_EXTENSION_LEFT_ARM DUMBBELL_TRICEPS_EXTENSION_RIGHT_ARM DUMBBELL_TRICEPS_EXTENSION_TWO_ARM LAT_PULL_DOWN LUNGE SQUAT
core_training        | Core training                  | strength  | coreTraining                                 | BACK_EXTENSION BENCH_SIT_UP CRUNCH FORWARD_TWIST UPPER_TWIST PLANK
calisthenics         | Calisthenics                   | strength  | -                                            | CALISTHENICS BURPEE JUMPING_JACK
cross_training       | Cross training                 | mixed     | crossTraining                                | BOOT_CAMP
hiit                 | High-intensity intervals       | mixed     | highIntensityIntervalTraining                | HIGH_INTENSITY_INTERVAL_TRAINING
cardio_training      | Mixed cardio                   | mixed     | mixedCardio mixedMetabolicCardioTraining     | EXERCISE_CLASS
jump_rope            | Jump rope                      | mixed     | jumpRope                                     | JUMP_ROPE
step_training        | Step training                  | mixed     | stepTraining                                 | -
elliptical           | Elliptical                     | mixed     | elliptical                                   | ELLIPTICAL
stair_climbing       | Stair climbing                 | mixed     | stairClimbing stairs                         | STAIR_CLIMBING STAIR_CLIMBING_MACHINE
indoor_rowing        | Indoor rowing                  | rowing    | -                                            | ROWING_MACHINE
yoga                 | Yoga                           | mind_body | yoga                                         | YOGA
pilates              | Pilates                        | mind_body | pilates                                      | PILATES
barre                | Barre                          | mind_body | barre                                        | -
tai_chi              | Tai chi                        | mind_body | taiChi                                       | -
mind_body            | Mind and body                  | mind_body | mindAndBody                                  | GUIDED_BREATHING
stretching           | Stretching and mobility        | mind_body | flexibility preparationAndRecovery cooldown  | STRETCHING
dance                | Dance                          | mixed     | dance danceInspiredTraining cardioDance socialDance | DANCING
gymnastics           | Gymnastics                     | mixed     | gymnastics                                   | GYMNASTICS
fitness_gaming       | Fitness gaming                 | mixed     | fitnessGaming                                | -
rowing               | Rowing                         | rowing    | rowing                                       | ROWING
kayaking             | Kayaking                       | paddling  | -                                            | -
canoeing             | Canoeing                       | paddling  | -                                            | -
stand_up_paddling    | Stand-up paddling              | paddling  | -                                            | -
paddling             | Paddling                       | paddling  | paddleSports                                 | PADDLING
surfing              | Surfing                        | water     | surfingSports                                | SURFING
kitesurfing          | Kitesurfing                    | water     | -                                            | -
windsurfing          | Windsurfing                    | water     | -                                            | -
wakeboarding         | Wakeboarding and water ski     | water     | -                                            | -
sailing              | Sailing                        | water     | sailing                                      | SAILING
boating              | Boating                        | water     | -                                            | -
diving               | Diving and snorkelling         | water     | underwaterDiving                             | SCUBA_DIVING
water_polo           | Water polo                     | team      | waterPolo                                    | WATER_POLO
water_sports         | Water sports                   | water     | waterSports                                  | -
alpine_skiing        | Alpine skiing                  | snow      | downhillSkiing                               | SKIING
cross_country_skiing | Cross-country skiing           | snow      | crossCountrySkiing                           | -
backcountry_skiing   | Backcountry skiing             | snow      | -                                            | -
snowboarding         | Snowboarding                   | snow      | snowboarding                                 | SNOWBOARDING
snowshoeing          | Snowshoeing                    | snow      | -                                            | SNOWSHOEING
snow_sports          | Snow sports                    | snow      | snowSports                                   | -
snowmobiling         | Snowmobiling                   | snow      | -                                            | -
ice_skating          | Ice skating                    | skating   | skatingSports                                | ICE_SKATING
inline_skating       | Inline and roller skating      | skating   | -                                            | SKATING
skateboarding        | Skateboarding                  | skating   | -                                            | -
curling              | Curling                        | other     | curling                                      | -
soccer               | Soccer                         | team      | soccer                                       | SOCCER
american_football    | American football              | team      | americanFootball                             | FOOTBALL_AMERICAN
australian_football  | Australian football            | team      | australianFootball                           | FOOTBALL_AUSTRALIAN
basketball           | Basketball                     | team      | basketball                                   | BASKETBALL
baseball             | Baseball                       | team      | baseball                                     | BASEBALL
softball             | Softball                       | team      | softball                                     | SOFTBALL
volleyball           | Volleyball                     | team      | volleyball                                   | VOLLEYBALL
handball             | Handball                       | team      | handball                                     | HANDBALL
rugby                | Rugby                          | team      | rugby                                        | RUGBY
hockey               | Hockey (field, ice, roller)    | team      | hockey                                       | ICE_HOCKEY ROLLER_HOCKEY
lacrosse             | Lacrosse                       | team      | lacrosse                                     | -
cricket              | Cricket                        | team      | cricket                                      | CRICKET
disc_sports          | Disc sports                    | team      | discSports                                   | FRISBEE_DISC
team_sports          | Team sports                    | team      | -                                            | -
tennis               | Tennis                         | racket    | tennis                                       | TENNIS
table_tennis         | Table tennis                   | racket    | tableTennis                                  | TABLE_TENNIS
badminton            | Badminton                      | racket    | badminton                                    | BADMINTON
squash               | Squash                         | racket    | squash                                       | SQUASH
racquetball          | Racquetball                    | racket    | racquetball                                  | RACQUETBALL
pickleball           | Pickleball                     | racket    | pickleball                                   | -
padel                | Padel                          | racket    | -                                            | -
racket_sports        | Racket sports                  | racket    | -                                            | -
boxing               | Boxing                         | combat    | boxing kickboxing                            | BOXING
martial_arts         | Martial arts                   | combat    | martialArts                                  | MARTIAL_ARTS
wrestling            | Wrestling                      | combat    | wrestling                                    | -
fencing              | Fencing                        | combat    | fencing                                      | FENCING
rock_climbing        | Climbing                       | climbing  | climbing                                     | ROCK_CLIMBING
indoor_climbing      | Indoor climbing and bouldering | climbing  | -                                            | -
golf                 | Golf                           | other     | golf                                         | GOLF
equestrian           | Horse riding                   | other     | equestrianSports                             | -
archery              | Archery                        | other     | archery                                      | -
bowling              | Bowling                        | other     | bowling                                      | -
fishing              | Fishing                        | other     | fishing                                      | -
hunting              | Hunting                        | other     | hunting                                      | -
paragliding          | Paragliding                    | other     | -                                            | PARAGLIDING
play                 | Play                           | other     | play                                         | -
other                | Other workout                  | other     | other                                        | OTHER_WORKOUT
`;
