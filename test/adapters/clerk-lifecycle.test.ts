import { clerk } from 'pilotfish-sandbox/clerk';
import { describeOp } from '../support/describe-recipe.ts';

const url = 'https://pr-12.acme.example/sso-callback?from=shop';
const otherInstance = 'the key of another instance reads an empty list, as an empty instance does';

describeOp('clerk.redirect_allow', {
  simulate: clerk,
  subject: ({ world }) => {
    // More than a page of them, and one that the URL of the line begins with.
    for (let n = 100; n < 220; n += 1) world.addUrl(`https://pr-${n}.acme.example/sso-callback`);
    world.addUrl('https://pr-12.acme.example/sso-callback');
    const mine = () => world.state.urls.filter((one) => one.url === url);
    return {
      credential: 'CLERK_SECRET_KEY',
      params: { url },
      mine,
      others: () => world.state.urls.filter((one) => one.url !== url),
      stands: { object: 'redirect_url' },
      remove: () => world.removeUrl(url),
      foreign: () => {
        const made = world.addUrl(url);
        // The oldest one: it stands at the end of the last page.
        world.state.urls.unshift(...world.state.urls.splice(world.state.urls.indexOf(made), 1));
      },
    };
  },
  skip: {
    twoMatches: 'an instance has a URL once',
    blind: otherInstance,
    blindDestroy: otherInstance,
  },
});
