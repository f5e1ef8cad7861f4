/** Before "by 15:00, in 40 m". */
export const PROMISED = "Promised";
