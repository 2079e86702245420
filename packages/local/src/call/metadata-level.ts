import type { FaultCode } from '../fault/fault-code.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { ServiceCall } from './service-call.ts'

/** How much an answer says about the data beside the data itself. */
export type MetadataLevel = 'nometadata' | 'minimalmetadata' | 'fullmetadata'

type Preferred = { readonly level: MetadataLevel } | { readonly refused: FaultCode }

const MINIMAL: Preferred = { level: 'minimalmetadata' }

const SHORT_FORMATS: ReadonlyMap<string, Preferred> = new Map<string, Preferred>([
  ['json', MINIMAL],
  ['atom', { refused: 'AtomFormatNotSupported' }],
])

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
  if (format !== undefined) return SHORT_FORMATS.get(format) ?? readMediaType(format)
  const accept = call.headers.accept
  // The service took Atom for the default long after it had stopped writing it.
  return accept === undefined ? { refused: 'AtomFormatNotSupported' } : readAccept(accept)
}

function readAccept(accept: string): Preferred {
  let first: Preferred | undefined
  for (const mediaType of accept.split(',')) {
    const preferred = readMediaType(mediaType)
    if ('level' in preferred) return preferred
    first ??= preferred
  }
  return first ?? MINIMAL
}

function readMediaType(text: string): Preferred {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  if (type === '*/*' || type === 'application/*') return MINIMAL
  if (type.endsWith('xml')) return { refused: 'AtomFormatNotSupported' }
  if (type !== 'application/json') return { refused: 'MediaTypeNotSupported' }
  const odata = parameters.find((parameter) => parameter.startsWith('odata='))?.slice(6)
  switch (odata) {
    case undefined:
    case 'minimalmetadata':
      return MINIMAL
    case 'nometadata':
    case 'fullmetadata':
      return { level: odata }
    case 'verbose':
      return { refused: 'JsonVerboseFormatNotSupported' }
    default:
      return { refused: 'MediaTypeNotSupported' }
  }
}
