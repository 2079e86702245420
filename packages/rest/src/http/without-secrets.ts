import type { HttpHeaders, HttpRequest, HttpResponse } from './transport.ts'

/** Headers that contain no secret. */
const PLAIN_HEADER = /^(?:date|x-ms-.*)$/
const SCHEME = /^(?:SharedKey(?:Lite)? [^:]*:|\S+ )/
const SIGNATURE = /(?<=^|&)sig=([^&]+)/g

/**
 * Removes from an error what the credential added to its request: a service, or a machine in between, may repeat it.
 *
 * @param response - the response; one that has no error stays as it is
 * @param request - the request before the credential authorized it
 * @param sent - the request as it was sent
 */
export function withoutSecrets(
  response: HttpResponse,
  request: HttpRequest,
  sent: HttpRequest,
): HttpResponse {
  if (!hasError(response)) return response
  let { headers, body } = response
  const inBody = isXml(body) ? '&lt;redacted&gt;' : '<redacted>'
  for (const secret of secretsIn(request, sent)) {
    body = without(secret, body, inBody)
    headers = mapHeaders(headers, (value) => without(secret, value, '<redacted>'))
  }
  return { ...response, headers, body }
}

/** A batch fails with a status of success. */
function hasError({ status, headers, body }: HttpResponse): boolean {
  if (status >= 300) return true
  return headers['content-type']?.startsWith('multipart/') === true && body.includes('odata.error')
}

function isXml(body: string): boolean {
  return body.trimStart().startsWith('<')
}

function secretsIn(request: HttpRequest, sent: HttpRequest): readonly string[] {
  const added = Object.entries(sent.headers).filter(
    ([name, value]) => value !== request.headers[name] && !PLAIN_HEADER.test(name),
  )
  const signatures = Array.from(sent.query.matchAll(SIGNATURE), ([, signature = '']) => signature)
  return [...added.map(([, value = '']) => value.replace(SCHEME, '')), ...signatures]
}

function mapHeaders(headers: HttpHeaders, map: (value: string) => string): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value)]))
}

/** One character as JSON, XML or a URL writes it, or as it is. */
const CHARACTER =
  /\\u([0-9a-f]{4})|\\(["/\\])|%(?:25)*([0-9a-f]{2})|&#x([0-9a-f]{1,4});|&#(\d{1,5});|&(amp|apos|gt|lt|quot);|[\s\S]/gi
const ESCAPES = /[\\%&]/
const NAMED: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }

/** Real errors have some kilobytes. In a longer text, only the secret as it was sent is removed. */
const LONGEST = 65_536

const isLetterOrDigit = (character: string | undefined) => /^[A-Za-z\d]$/.test(character ?? '')

/** Removes a secret wherever it is a whole word: a short one may also be a part of other words. */
function without(secret: string, text: string, replacement: string): string {
  if (secret === '') return text
  if (text.length > LONGEST) return text.replaceAll(secret, replacement)
  const wanted = decodedOf(charactersOf(secret))
  // Most errors, such as that of a missing entity, write every character as it is and have no secret.
  if (!ESCAPES.test(text) && !text.includes(wanted)) return text
  const characters = charactersOf(text)
  const decoded = decodedOf(characters)
  let shown = ''
  let end = 0
  for (let at = decoded.indexOf(wanted); at >= 0; at = decoded.indexOf(wanted, at + 1)) {
    const after = at + wanted.length
    if (at < end || isLetterOrDigit(decoded[at - 1]) || isLetterOrDigit(decoded[after])) continue
    shown += `${textOf(characters.slice(end, at))}${replacement}`
    end = after
  }
  return shown + textOf(characters.slice(end))
}

/** A character of a text, and how the text writes it. */
interface Character {
  readonly decoded: string
  readonly text: string
}

function charactersOf(text: string): readonly Character[] {
  return Array.from(text.matchAll(CHARACTER), ([text, json, escaped, url, hex, decimal, name]) => {
    const code = json ?? url ?? hex
    const number = code === undefined ? Number(decimal) : Number.parseInt(code, 16)
    const decoded = code === undefined && decimal === undefined ? text : String.fromCharCode(number)
    return { text, decoded: escaped ?? NAMED[name?.toLowerCase() ?? ''] ?? decoded }
  })
}

function decodedOf(characters: readonly Character[]): string {
  return characters.map(({ decoded }) => decoded).join('')
}

function textOf(characters: readonly Character[]): string {
  return characters.map(({ text }) => text).join('')
}
