import { type Refusal, refuse } from '../kit/index.ts';

export const failure = (status: number, errorCode: string, errorSummary: string, causes: readonly string[] = []): Refusal =>
  refuse(status, {
    errorCode,
    errorSummary,
    errorLink: errorCode,
    errorId: 'oaeHfmOAx1iRLa0H10DeMz5fQ',
    errorCauses: causes.map((cause) => ({ errorSummary: cause })),
  });
export const forbidden = (): Refusal => failure(403, 'E0000006', 'You do not have permission to perform the requested action');
export const invalid = (what: string, cause: string): Refusal => failure(400, 'E0000001', `Api validation failed: ${what}`, [cause]);
export const absent = (id: string): Refusal => failure(404, 'E0000007', `Not found: Resource not found: ${id}`);
