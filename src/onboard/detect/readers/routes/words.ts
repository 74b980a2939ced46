/** Code that checks the signature of a webhook, in any language. */
const signing =
  /constructEvent|construct_event|ConstructEvent|Webhook\.constructEvent|unmarshalWebhook|\bsvix\b|verifySignature|verify_signature|verifyWebhook|verify_webhook|VerifyWebhook|verifyNextRequest|validateRequest\b|validateWebhook|webhookVerif|x-hub-signature|X-Hub-Signature|[a-z]+-signature['"]|HTTP_[A-Z_]*SIGNATURE|timingSafeEqual|timing_safe_eq|compare_digest|secure_compare|hash_equals|hmac\.Equal|new Webhook\(|Receiver\(|webhooks\.(?:unwrap|verify|receive)\(|SIGNING_SECRET|WEBHOOK_SECRET/;

export const checksSignature = (text: string): boolean => signing.test(text);

/** Names of a service beside the check: `Stripe-Signature`, `stripe.webhooks`, `Stripe::Webhook`, `STRIPE_WEBHOOK_SECRET`. */
const signer =
  /\b([A-Za-z]{3,30})[-_][Ss]ignature\b|\b([A-Za-z]{3,30})\.(?:webhooks|Webhook)\b|\b([A-Za-z]{3,30})::Webhook\b|\b([A-Z]{3,30})_(?:[A-Z]+_)?(?:WEBHOOK|SIGNING)_(?:SECRET|KEY)\b/g;

/** The services whose signatures a piece of code may check. */
export const signersIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(signer)].map((match) => (match.slice(1).find((group) => group !== undefined) ?? '').toLowerCase())),
];

/** The words of a path, a name or a package, in lower case: `/api/stripe/webhook`, `StripeWebhooksController`, `@clerk/backend`. */
export function wordsIn(...names: readonly string[]): readonly string[] {
  const parts = names.flatMap((name) =>
    name
      .slice(0, 300)
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );
  return [...new Set(parts.filter((part) => part.length > 1))];
}
