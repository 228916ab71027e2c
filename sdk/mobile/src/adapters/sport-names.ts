// Sports by the numbers of the platforms. The service understands these names (docs/sports.md).

/** HKWorkoutActivityType, from 1. */
const HEALTHKIT_SPORTS =
  'americanFootball archery australianFootball badminton baseball basketball bowling boxing climbing cricket crossTraining curling cycling dance danceInspiredTraining elliptical equestrianSports fencing fishing functionalStrengthTraining golf gymnastics handball hiking hockey hunting lacrosse martialArts mindAndBody mixedMetabolicCardioTraining paddleSports play preparationAndRecovery racquetball rowing rugby running sailing skatingSports snowSports soccer softball squash stairClimbing surfingSports swimming tableTennis tennis trackAndField traditionalStrengthTraining volleyball walking waterFitness waterPolo waterSports wrestling yoga barre coreTraining crossCountrySkiing downhillSkiing flexibility highIntensityIntervalTraining jumpRope kickboxing pilates snowboarding stairs stepTraining wheelchairWalkPace wheelchairRunPace taiChi mixedCardio handCycling discSports fitnessGaming cardioDance socialDance pickleball cooldown - swimBikeRun transition underwaterDiving'.split(
    ' ',
  );

/** EXERCISE_TYPE_…, from 0. */
const HEALTH_CONNECT_SPORTS =
  'OTHER_WORKOUT BACK_EXTENSION BADMINTON BARBELL_SHOULDER_PRESS BASEBALL BASKETBALL BENCH_PRESS BENCH_SIT_UP BIKING BIKING_STATIONARY BOOT_CAMP BOXING BURPEE CALISTHENICS CRICKET CRUNCH DANCING DEADLIFT DUMBBELL_CURL_LEFT_ARM DUMBBELL_CURL_RIGHT_ARM DUMBBELL_FRONT_RAISE DUMBBELL_LATERAL_RAISE DUMBBELL_TRICEPS_EXTENSION_LEFT_ARM DUMBBELL_TRICEPS_EXTENSION_RIGHT_ARM DUMBBELL_TRICEPS_EXTENSION_TWO_ARM ELLIPTICAL EXERCISE_CLASS FENCING FOOTBALL_AMERICAN FOOTBALL_AUSTRALIAN FORWARD_TWIST FRISBEE_DISC GOLF GUIDED_BREATHING GYMNASTICS HANDBALL HIGH_INTENSITY_INTERVAL_TRAINING HIKING ICE_HOCKEY ICE_SKATING JUMPING_JACK JUMP_ROPE LAT_PULL_DOWN LUNGE MARTIAL_ARTS - PADDLING PARAGLIDING PILATES PLANK RACQUETBALL ROCK_CLIMBING ROLLER_HOCKEY ROWING ROWING_MACHINE RUGBY RUNNING RUNNING_TREADMILL SAILING SCUBA_DIVING SKATING SKIING SNOWBOARDING SNOWSHOEING SOCCER SOFTBALL SQUASH SQUAT STAIR_CLIMBING STAIR_CLIMBING_MACHINE STRENGTH_TRAINING STRETCHING SURFING SWIMMING_OPEN_WATER SWIMMING_POOL TABLE_TENNIS TENNIS UPPER_TWIST VOLLEYBALL WALKING WATER_POLO WEIGHTLIFTING WHEELCHAIR YOGA'.split(
    ' ',
  );

const nameAt = (names: readonly string[], index: number): string => {
  const name = names[index] ?? '-';
  return name === '-' ? 'other' : name;
};

export function healthKitSport(type: number): string {
  return nameAt(HEALTHKIT_SPORTS, type - 1);
}

export function healthConnectSport(type: number): string {
  return nameAt(HEALTH_CONNECT_SPORTS, type);
}
