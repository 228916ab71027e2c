// The watch that all data comes from.

export const DEVICE_ID = '1111AAAA';
export const DEVICE = { device: 'Polar Vantage V3', device_id: DEVICE_ID };
