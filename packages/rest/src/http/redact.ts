/** A character of base64, or one in percent-encoding, once or more: + / = are %2B %2F %3D, and %252B … */
const CHARACTER = '(?:[A-Za-z0-9+/]|%(?:25)*2[BbFf])'
const PADDING = '(?:=|%(?:25)*3[Dd])'

const SECRETS: readonly RegExp[] = [
  // A SAS inside a URL, or alone, also of a URL that is itself encoded.
  /(?<=(?:\b|%(?:25)*[0-9a-f]{2})sig(?:=|%(?:25)*3d))[^&\s"'<]+/gi,
  // A SAS as a member of JSON, also of JSON inside of text.
  /(?<=\bsig\\*["']\s*:\s*\\*["'])[^\s"'<\\]+/gi,
  // A token of Entra ID, behind its scheme or alone.
  /(?<=\bbearer )[\w.~+/-]{20,}=*/gi,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  // Signatures and keys in URL-safe base64: of 32 or 64 bytes exactly, since ids joined by hyphens
  // look like it.
  new RegExp(
    `(?<![\\w+/-])(?=[\\w-]*[A-Z])(?=[\\w-]*[a-z])[\\w-]{43}(?:[\\w-]{43})?(?![\\w+/-])${PADDING}{0,2}`,
    'g',
  ),
  // And in base64: 32 bytes or more, alone or behind a scheme's name.
  new RegExp(`(?<![A-Za-z0-9+/])${CHARACTER}{43,}${PADDING}{0,2}`, 'g'),
]

const LONGEST_TEXT = 4096

/**
 * A service's text with everything that could be a signature or a key taken out, and cut to a length
 * that a log can bear.
 *
 * @param text - anything that a service said
 */
export function redact(text: string): string {
  // Not cut before: half a signature would not be known for one.
  let shown = text
  for (const secret of SECRETS) shown = shown.replace(secret, '<redacted>')
  return shown.slice(0, LONGEST_TEXT)
}

/**
 * What a caller is shown of a failure below: its name, code and message, without secrets.
 *
 * The failure itself may carry what was sent or received, and below it other failures that do: the
 * signature of a request is among its headers, and a server may send back what it got.
 *
 * @param cause - what was thrown, which need not be an error
 */
export function shownCause(cause: unknown): Error {
  const { name, message, code } = Object(cause) as { readonly [member: string]: unknown }
  const text = typeof cause === 'object' && cause !== null ? message : cause
  const shown = new Error(redact(isText(text) ? String(text) : ''))
  if (typeof name === 'string') shown.name = redact(name)
  return typeof code === 'string' ? Object.assign(shown, { code: redact(code) }) : shown
}

function isText(value: unknown): value is number | string {
  return typeof value === 'string' || typeof value === 'number'
}
