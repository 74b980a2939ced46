/** Whether the environment says that this is a job of some CI. */
export const saysCi = (env: NodeJS.ProcessEnv): boolean => !['', '0', 'false'].includes(env.CI ?? '');
