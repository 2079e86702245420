import { metadataLevelOfFault } from '../call/metadata-level.ts'
import type { ServiceFault } from '../fault/service-fault.ts'
import type { Answer } from './answer.ts'
import { printJsonString } from './ascii-json.ts'
import { printContentType } from './content-type.ts'

/** What a refusal must know of the request it answers. */
export interface FaultContext {
  /** The service's own id of the request, which the text of the refusal ends with. */
  readonly requestId: string
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  /** The `Accept` header, which decides how the refusal is written; absent when none came. */
  readonly accept: string | undefined
}

/** A refusal as the OData operations write it. */
export function jsonFaultAnswer(fault: ServiceFault, context: FaultContext): Answer {
  const text = printJsonString(printText(fault, context))
  return {
    status: fault.status,
    headers: {
      ...fault.headers,
      'content-type': printContentType(metadataLevelOfFault(context.accept)),
      'x-ms-error-code': fault.code,
    },
    body: `{"odata.error":{"code":"${fault.code}","message":{"lang":"en-US","value":${text}}}}`,
  }
}

/** A refusal as the front end and the XML operations write it. */
export function xmlFaultAnswer(fault: ServiceFault, context: FaultContext): Answer {
  const text = printText(fault, context).replace(XML_SPECIAL, escapeXml)
  return {
    status: fault.status,
    headers: {
      ...fault.headers,
      'content-type': 'application/xml',
      'x-ms-error-code': fault.code,
    },
    body: `<?xml version="1.0" encoding="utf-8"?><m:error xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><m:code>${fault.code}</m:code><m:message xml:lang="en-US">${text}</m:message></m:error>`,
  }
}

const XML_SPECIAL = /[^\t\n\r\u0020-\u007e]|[&<>]/gu

/** XML cannot hold every character, not even escaped; what it cannot hold becomes U+FFFD. */
function escapeXml(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const isHeld = code >= 0x20 && (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) !== 0xfffe
  return `&#${isHeld ? code : 0xfffd};`
}

/** The text of every refusal ends with the request's id and the time, with seven digits always. */
function printText(fault: ServiceFault, context: FaultContext): string {
  const time = new Date(context.now).toISOString().replace('Z', '0000Z')
  return `${fault.message}\nRequestId:${context.requestId}\nTime:${time}`
}
