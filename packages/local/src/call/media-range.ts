/** One of the media types of an `Accept` header. */
export interface MediaRange {
  /** Type and subtype in lower case, such as `application/json` or `application/*`. */
  readonly type: string
  /** The parameters, names and values in lower case and without quotes; `q` is not among them. */
  readonly parameters: ReadonlyMap<string, string>
  /** How much it is wanted, from 0 for not at all to 1. */
  readonly quality: number
}

/** What stands between commas, and between semicolons; in quotes they are text. */
const MEMBER = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
const PART = /(?:[^";]|"(?:[^"\\]|\\.)*"?)+/g

/**
 * The media types of an `Accept` header, in its order.
 *
 * Source: {@link https://www.rfc-editor.org/rfc/rfc9110.html#name-accept | RFC 9110}.
 */
export function parseMediaRanges(text: string): readonly MediaRange[] {
  const members = (text.match(MEMBER) ?? []).filter((member) => member.trim() !== '')
  return members.map((member) => {
    const [type = '', ...parts] = member.match(PART) ?? []
    const parameters = new Map(parts.map(parseParameter))
    const quality = parseQuality(parameters.get('q'))
    parameters.delete('q')
    return { type: type.trim().toLowerCase(), parameters, quality }
  })
}

function parseParameter(part: string): readonly [name: string, value: string] {
  const equals = part.indexOf('=')
  const name = equals < 0 ? part : part.slice(0, equals)
  const value = equals < 0 ? '' : part.slice(equals + 1).trim()
  return [name.trim().toLowerCase(), unquoted(value).toLowerCase()]
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : value
}

/** What is no quality is none that was asked for. */
function parseQuality(text: string | undefined): number {
  return text !== undefined && /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(text) ? Number(text) : 1
}
