import { Rejection } from '../rejection/rejection.ts'
import type { RejectionCode } from '../rejection/rejection-codes.ts'
import type { ServiceRequest } from './service-request.ts'

/** How much an answer says about the data beside the data itself. */
export type MetadataLevel = 'nometadata' | 'minimalmetadata' | 'fullmetadata'

type Preferred = { readonly level: MetadataLevel } | { readonly refused: RejectionCode }

/** The first is what the service likes best to give. */
const LEVELS: readonly MetadataLevel[] = ['minimalmetadata', 'nometadata', 'fullmetadata']

const MINIMAL: Preferred = { level: 'minimalmetadata' }

const SHORT_FORMATS: ReadonlyMap<string, Preferred> = new Map<string, Preferred>([
  ['json', MINIMAL],
  ['atom', { refused: 'AtomFormatNotSupported' }],
])

/** What nearly every request asks for, so that it need not be taken apart. */
const USUAL: ReadonlyMap<string, Preferred> = new Map<string, Preferred>(
  LEVELS.map((level) => [`application/json;odata=${level}`, { level }]),
)

/** The level a call asks for by `$format` or `Accept`; what is not JSON is refused. */
export function metadataLevel(call: ServiceRequest): MetadataLevel {
  const preferred = preferredOf(call)
  if ('refused' in preferred) throw new Rejection(preferred.refused)
  return preferred.level
}

/** The level for the body of a refusal, which is JSON even when the call did not ask for that. */
export function metadataLevelOfRejection(accept: string | undefined): MetadataLevel {
  const preferred = accept === undefined ? MINIMAL : readAccept(accept)
  return 'refused' in preferred ? 'minimalmetadata' : preferred.level
}

function preferredOf(call: ServiceRequest): Preferred {
  const format = call.query.get('$format')
  if (format !== undefined) return SHORT_FORMATS.get(format) ?? readAccept(format)
  const accept = call.headers.accept
  // The service took Atom for the default long after it had stopped writing it.
  return accept === undefined ? { refused: 'AtomFormatNotSupported' } : readAccept(accept)
}

function readAccept(accept: string): Preferred {
  return USUAL.get(accept) ?? choose(parseMediaRanges(accept))
}

/** The level that is wanted most; among equals the one whose media type is named first. */
function choose(ranges: readonly MediaRange[]): Preferred {
  let best: { readonly level: MetadataLevel; readonly range: MediaRange } | undefined
  for (const level of LEVELS) {
    const range = mostSpecific(ranges, level)
    if (range === undefined || range.quality === 0) continue
    const isBetter =
      best === undefined ||
      range.quality > best.range.quality ||
      (range.quality === best.range.quality && ranges.indexOf(range) < ranges.indexOf(best.range))
    if (isBetter) best = { level, range }
  }
  return best ?? { refused: rejectionOf(ranges) }
}

/** The media type that speaks for a level: the one that says most, be it that it is not wanted. */
function mostSpecific(ranges: readonly MediaRange[], level: MetadataLevel): MediaRange | undefined {
  let found: MediaRange | undefined
  let most = 0
  for (const range of ranges) {
    const says = specificity(range, level)
    if (says > most) {
      found = range
      most = says
    }
  }
  return found
}

/** How much a media type says about a level; 0 when it is about something else. */
function specificity({ type, parameters }: MediaRange, level: MetadataLevel): number {
  if (type === '*/*') return 1
  if (type === 'application/*') return 2
  if (type !== 'application/json') return 0
  const odata = parameters.get('odata')
  if (odata === undefined) return 3
  return odata === level ? 4 : 0
}

function rejectionOf(ranges: readonly MediaRange[]): RejectionCode {
  const [first] = ranges.filter(({ quality }) => quality > 0)
  if (first?.type.endsWith('xml')) return 'AtomFormatNotSupported'
  const isVerbose =
    first?.type === 'application/json' && first.parameters.get('odata') === 'verbose'
  return isVerbose ? 'JsonVerboseFormatNotSupported' : 'MediaTypeNotSupported'
}

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

/** What a client may prefer to get back from a create or an insert. */
export type Preference = 'return-content' | 'return-no-content'

/** The preference that an insert or a create-table states; the other operations have none. */
export function preferenceOf(call: ServiceRequest): Preference | undefined {
  const { kind } = call.resource
  if (call.method !== 'POST' || (kind !== 'tables' && kind !== 'entities')) return undefined
  const prefer = call.headers.prefer?.trim().toLowerCase()
  return prefer === 'return-content' || prefer === 'return-no-content' ? prefer : undefined
}
