/** Why a world cannot be: the value is a part of another one in every answer, or stands in none. */
export const neverShown = 'no answer shows such a value by itself';
