import type { RejectionCode } from '../rejection/rejection.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from './service-request.ts'

/** How much metadata a response contains. */
export type MetadataLevel = 'nometadata' | 'minimalmetadata' | 'fullmetadata'

type Preferred = { readonly level: MetadataLevel } | { readonly rejected: RejectionCode }

/** In the order in which the service prefers them. */
const LEVELS: readonly MetadataLevel[] = ['minimalmetadata', 'nometadata', 'fullmetadata']

const MINIMAL: Preferred = { level: 'minimalmetadata' }

const SHORT_FORMATS: ReadonlyMap<string, Preferred> = new Map<string, Preferred>([
  ['json', MINIMAL],
  ['atom', { rejected: 'AtomFormatNotSupported' }],
])

/** What nearly every request asks for. These need no parsing. */
const USUAL: ReadonlyMap<string, Preferred> = new Map<string, Preferred>(
  LEVELS.map((level) => [`application/json;odata=${level}`, { level }]),
)

/**
 * Returns the level that a request asks for by `$format` or `Accept`; on Cosmos DB only by `Accept`.
 *
 * @throws Rejection for anything but JSON
 */
export function metadataLevel(request: ServiceRequest): MetadataLevel {
  const preferred = preferredOf(request)
  if ('rejected' in preferred) throw new Rejection(preferred.rejected)
  return preferred.level
}

/**
 * Returns the level of a rejection's body, which is JSON even when the request asked for something
 * else.
 */
export function metadataLevelOfRejection(accept: string | undefined): MetadataLevel {
  const preferred = accept === undefined ? MINIMAL : readAccept(accept)
  return 'rejected' in preferred ? 'minimalmetadata' : preferred.level
}

function preferredOf(request: ServiceRequest): Preferred {
  if (request.flavour === 'cosmos') return readCosmosAccept(request.headers.accept)
  const format = request.query.get('$format')
  if (format !== undefined) return SHORT_FORMATS.get(format) ?? readAccept(format)
  const accept = request.headers.accept
  // The service kept Atom as the default long after it stopped writing it.
  return accept === undefined ? { rejected: 'AtomFormatNotSupported' } : readAccept(accept)
}

/** Cosmos DB ignores `$format`, and `application/json` alone asks for no metadata. */
function readCosmosAccept(accept = '*/*'): Preferred {
  return accept === 'application/json' ? { level: 'nometadata' } : readAccept(accept)
}

function readAccept(accept: string): Preferred {
  return USUAL.get(accept) ?? choose(parseMediaRanges(accept))
}

/**
 * Chooses the level with the highest quality, and among equals the one whose media type comes
 * first.
 */
function choose(ranges: readonly MediaRange[]): Preferred {
  const offers = LEVELS.flatMap((level) => {
    const range = mostSpecific(ranges, level)
    return range === undefined || range.quality === 0 ? [] : [{ level, range }]
  })
  const [best] = offers.sort(
    ({ range: one }, { range: other }) =>
      other.quality - one.quality || ranges.indexOf(one) - ranges.indexOf(other),
  )
  return best ?? { rejected: rejectionOf(ranges) }
}

/** Returns the most specific media type for a level, even when its quality is 0. */
function mostSpecific(ranges: readonly MediaRange[], level: MetadataLevel): MediaRange | undefined {
  const [found] = ranges
    .filter((range) => specificity(range, level) > 0)
    .sort((one, other) => specificity(other, level) - specificity(one, level))
  return found
}

/** Returns how specific a media type is for a level; 0 when it does not match. */
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
interface MediaRange {
  /** Type and subtype in lower case, such as `application/json` or `application/*`. */
  readonly type: string
  /** The parameters except `q`: names and values in lower case and without quotes. */
  readonly parameters: ReadonlyMap<string, string>
  /** From 0 for not acceptable to 1. */
  readonly quality: number
}

/** The members between commas, and the parts between semicolons. Quotes enclose text. */
const MEMBER = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
const PART = /(?:[^";]|"(?:[^"\\]|\\.)*"?)+/g

/**
 * Parses the media types of an `Accept` header, in order.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#name-accept
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

/** An invalid quality counts as 1. */
function parseQuality(text: string | undefined): number {
  return text !== undefined && /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(text) ? Number(text) : 1
}

/** The response that a client prefers for a create or an insert. */
type Preference = 'return-content' | 'return-no-content'

/** Returns the preference of an insert or a create-table; other operations have none. */
export function preferenceOf(request: ServiceRequest): Preference | undefined {
  const { kind } = request.resource
  if (request.method !== 'POST' || (kind !== 'tables' && kind !== 'entities')) return undefined
  const prefer = request.headers.prefer?.trim().toLowerCase()
  return prefer === 'return-content' || prefer === 'return-no-content' ? prefer : undefined
}

/** Adds to a rejected insert the preference that the service would have applied. */
export function withPreference(rejection: Rejection, request: ServiceRequest): Rejection {
  const preference = preferenceOf(request)
  if (preference === undefined) return rejection
  return rejection.but({ headers: { ...rejection.headers, 'preference-applied': preference } })
}
