import type { FaultCode } from '../fault/fault-code.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { type MediaRange, parseMediaRanges } from './media-range.ts'
import type { ServiceCall } from './service-call.ts'

/** How much an answer says about the data beside the data itself. */
export type MetadataLevel = 'nometadata' | 'minimalmetadata' | 'fullmetadata'

type Preferred = { readonly level: MetadataLevel } | { readonly refused: FaultCode }

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
export function metadataLevel(call: ServiceCall): MetadataLevel {
  const preferred = preferredOf(call)
  if ('refused' in preferred) throw new ServiceFault(preferred.refused)
  return preferred.level
}

/** The level for the body of a refusal, which is JSON even when the call did not ask for that. */
export function metadataLevelOfFault(accept: string | undefined): MetadataLevel {
  const preferred = accept === undefined ? MINIMAL : readAccept(accept)
  return 'refused' in preferred ? 'minimalmetadata' : preferred.level
}

function preferredOf(call: ServiceCall): Preferred {
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
  return best ?? { refused: refusalOf(ranges) }
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

function refusalOf(ranges: readonly MediaRange[]): FaultCode {
  const [first] = ranges.filter(({ quality }) => quality > 0)
  if (first?.type.endsWith('xml')) return 'AtomFormatNotSupported'
  const isVerbose =
    first?.type === 'application/json' && first.parameters.get('odata') === 'verbose'
  return isVerbose ? 'JsonVerboseFormatNotSupported' : 'MediaTypeNotSupported'
}
