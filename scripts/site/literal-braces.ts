/** The part of markdown-it that is needed here. */
interface MarkdownIt {
  readonly renderer: { readonly rules: { [name: string]: ((tokens: Token[], at: number, ...rest: unknown[]) => string) | undefined } };
  readonly utils: { escapeHtml(text: string): string };
}

interface Token {
  readonly content: string;
}

/**
 * Shows `{{` as it stands. VitePress compiles each page as a template of Vue, which would run the text between the braces as code: the page
 * of `${{shared.HOST}}` stayed empty.
 */
export function literalBraces({ renderer, utils }: MarkdownIt): void {
  const { code_inline: code, text } = renderer.rules;
  const literal = (html: string): string => html.replaceAll('{{', '&#123;&#123;');
  renderer.rules.text = (tokens, at, ...rest) => literal(text?.(tokens, at, ...rest) ?? utils.escapeHtml(tokens[at]?.content ?? ''));
  renderer.rules.code_inline = (tokens, at, ...rest) => literal(code?.(tokens, at, ...rest) ?? '');
}
