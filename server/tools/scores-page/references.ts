// The section on the references behind the scores and their limits.

export const SCORE_LIMITS: readonly string[] = [
  'HRV differs between devices. After a change of device its baseline starts again and takes five nights.',
  'Beta blockers, atrial fibrillation, pregnancy, shift work and altitude break the assumptions behind recovery and stress.',
  'Heart rate says little about strength training, so its strain is too low.',
  'A workout of which only energy or duration is known is a rough estimate. When better data arrives, strain may decrease.',
  'A few good inputs can give a high score: check the coverage.',
  'Food logs are rarely complete, and no source reports food groups.',
  'No score has been validated against clinical outcomes.',
];

export const SCORE_REFERENCES: readonly string[] = [
  'Sleep duration by age: Hirshkowitz et al. 2015, Sleep Health 1(1):40. Sleep continuity, and the lack of agreement on stages: Ohayon et al. 2017, Sleep Health 3(1):6. Steps of duration and efficiency: Pittsburgh Sleep Quality Index, Buysse et al. 1989, Psychiatry Research 28(2):193. Regularity: Windred et al. 2024, Sleep 47(1), zsad253.',
  'HRV, its weekly mean and three nights a week: Plews et al. 2014, doi 10.1123/ijspp.2013-0455. Smallest change worth noting: Buchheit 2014, doi 10.3389/fphys.2014.00073.',
  'Resting heart rate within a person: Quer et al. 2020, PLoS ONE 15(2):e0227709. Breathing rate: Natarajan et al. 2021, npj Digital Medicine 4:136; Miller et al. 2020, PLoS ONE 15(12):e0243693.',
  'Against the ratio of acute to chronic load: Impellizzeri et al. 2020, doi 10.1007/s40279-020-01378-6.',
  'Weight of a minute by heart-rate reserve: Banister’s training impulse with its coefficients for men and women; those for everyone else lie midway and are our choice. Maximum heart rate by age: Tanaka et al. 2001, Journal of the American College of Cardiology 37(1):153.',
  'Saturated fat and sodium: end points of the Healthy Eating Index 2020, Shams-White et al. 2023, Journal of the Academy of Nutrition and Dietetics 123(9):1280. Protein, fibre and the ranges of macronutrients: Dietary Reference Intakes, National Academies 2005. Water: EFSA Journal 2010;8(3):1459.',
];
