/** Code that checks the signature of a webhook, in any language. */
const signing =
  /constructEvent|construct_event|ConstructEvent|Webhook\.constructEvent|unmarshalWebhook|\bsvix\b|verifySignature|verify_signature|verifyWebhook|verify_webhook|VerifyWebhook|verifyNextRequest|validateRequest\b|validateWebhook|webhookVerif|x-hub-signature|X-Hub-Signature|[a-z]+-signature['"]|HTTP_[A-Z_]*SIGNATURE|timingSafeEqual|timing_safe_eq|compare_digest|secure_compare|hash_equals|hmac\.Equal|new Webhook\(|Receiver\(|webhooks\.(?:unwrap|verify|receive)\(|SIGNING_SECRET|WEBHOOK_SECRET/;

export const checksSignature = (text: string): boolean => signing.test(text);

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
