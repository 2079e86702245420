const SECRETS: readonly RegExp[] = [
  // A SAS inside a URL, or alone.
  /(?<=\bsig=)[^&\s"'<]+/gi,
  // A token of Entra ID, behind its scheme or alone.
  /(?<=\bbearer )[\w.~+/-]{20,}=*/gi,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  // Signatures and keys: 32 bytes or more in base64, alone or behind a scheme's name.
  /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43,}={0,2}/g,
]

const LONGEST_TEXT = 4096

/**
 * A service's text with everything that could be a signature or a key taken out, and cut to a length
 * that a log can bear.
 *
 * @param text - anything that a service said
 */
export function redact(text: string): string {
  let shown = text.slice(0, LONGEST_TEXT)
  for (const secret of SECRETS) shown = shown.replace(secret, '<redacted>')
  return shown
}
