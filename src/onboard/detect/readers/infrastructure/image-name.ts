/**
 * The name of an image without its tag, its digest and Docker's own registry: `postgres`, `clickhouse/clickhouse-server`,
 * `ghcr.io/acme/app`. `null` where a template makes the name.
 */
export function imageName(image: string): string | null {
  const [, name] =
    /^(?:docker\.io\/)?(?:library\/)?((?:[\w.-]{1,100}(?::\d{1,5})?\/)?[\w./-]{1,200}?)(?::[\w.${}-]{1,128})?(?:@\S{1,200})?$/.exec(
      image.trim(),
    ) ?? [];
  return name ?? null;
}
