/** Words that names of services have, and names of anything else as well. Alone they tell of no service. */
export const general: ReadonlySet<string> = new Set(
  `access account admin agent ai analytics api app application apps artifact auth base beam blob box branch bucket buffer build builder cache captcha
   chat client cloud code config courier cron customer daily data database dead deploy dev direct dynamic edge email env event fleet flow forge front
   gateway ghost graph heap help here host images instant key light line linear logs loops magic mail main make map match merge message modal modern
   monitor name next node oauth open output parse permit persona phase phrase pipeline plain platform polar porter prod project public queue queues
   radar render scout search secret secrets server service services simple site social square stability stack state step storage store stream studio
   surge sync tally team test together token trigger url user vault web webhook wise workers workspace zero`.split(/\s+/),
);
