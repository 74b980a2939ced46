/** `npm run prove` asks for whole tables. `npm test` has a share of each that meets every row. */
export const isWhole: boolean = process.env.PILOTFISH_ATTACKS === 'all';
