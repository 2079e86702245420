/** A character of base64, also percent-encoded once or more: + / = are %2B %2F %3D, then %252B … */
const CHARACTER = '(?:[A-Za-z0-9+/]|%(?:25)*2[BbFf])'
const PADDING = '(?:=|%(?:25)*3[Dd])'

const SECRETS: readonly RegExp[] = [
  // A SAS in a URL or alone, also in an encoded URL.
  /(?<=(?:\b|%(?:25)*[0-9a-f]{2})sig(?:=|%(?:25)*3d))[^&\s"'<]+/gi,
  // A SAS as a member of JSON, also of JSON in a string.
  /(?<=\bsig\\*["']\s*:\s*\\*["'])[^\s"'<\\]+/gi,
  // A token of Entra ID, after its scheme or alone.
  /(?<=\bbearer )[\w.~+/-]{20,}=*/gi,
  /\beyJ[\w.-]{7,}(?<!\.)/g,
  // Signatures and keys in URL-safe base64: exactly 32 or 64 bytes, because ids joined by hyphens
  // look alike.
  new RegExp(
    `(?<![\\w+/-])(?=[\\w-]*[A-Z])(?=[\\w-]*[a-z])[\\w-]{43}(?:[\\w-]{43})?(?![\\w+/-])${PADDING}{0,2}`,
    'g',
  ),
  // And in base64: 32 bytes or more, alone or after the name of a scheme.
  new RegExp(`(?<![A-Za-z0-9+/])${CHARACTER}{43,}${PADDING}{0,2}`, 'g'),
]

const LONGEST_TEXT = 4096

/** A longer text is cut before it is searched, so that a server cannot make the search take long. */
const LONGEST_SEARCHED = 4 * LONGEST_TEXT

/** A secret does not contain these, so that a text can be cut there. */
const ENDS_SECRET = /[&\s"'<]/

/**
 * Removes everything that could be a signature or a key from a service's text, and shortens it for a
 * log.
 *
 * @param text - any text of a service
 */
export function redact(text: string): string {
  let shown = beginningOf(text)
  for (const secret of SECRETS) shown = shown.replace(secret, '<redacted>')
  return shown.slice(0, LONGEST_TEXT)
}

/** Cuts a long text where no secret can be: half a signature would not be recognized. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST_SEARCHED) return text
  let end = LONGEST_SEARCHED
  while (end > 0 && !ENDS_SECRET.test(text.charAt(end))) end -= 1
  return end > 0 ? text.slice(0, end) : '<redacted>'
}

/**
 * Makes an error that shows name, code and message of another one, without secrets.
 *
 * The original may contain what was sent or received, and so may its causes: a signature is one of the
 * headers, and a server may repeat it.
 *
 * @param cause - what was thrown; any value
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
