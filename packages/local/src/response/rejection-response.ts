import type { Rejection } from '../rejection/rejection.ts'
import { metadataLevelOfRejection } from '../request/content-negotiation.ts'
import { printJsonString } from './ascii-json.ts'
import { printContentType, type ServiceResponse } from './service-response.ts'

/** What a refusal must know of the request it answers. */
export interface RejectionContext {
  /** The service's own id of the request, which the text of the refusal ends with. */
  readonly requestId: string
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  /** The `Accept` header, which decides how the refusal is written; absent when none came. */
  readonly accept: string | undefined
}

/** A refusal as the OData operations write it. */
export function jsonRejection(fault: Rejection, context: RejectionContext): ServiceResponse {
  const text = printJsonString(printText(fault, context))
  return {
    status: fault.status,
    headers: {
      ...fault.headers,
      'content-type': printContentType(metadataLevelOfRejection(context.accept)),
      'x-ms-error-code': fault.code,
    },
    body: `{"odata.error":{"code":"${fault.code}","message":{"lang":"en-US","value":${text}}}}`,
  }
}

/** A refusal as the front end and the XML operations write it. */
export function xmlRejection(fault: Rejection, context: RejectionContext): ServiceResponse {
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
function printText(fault: Rejection, context: RejectionContext): string {
  const time = new Date(context.now).toISOString().replace('Z', '0000Z')
  return `${fault.message}\nRequestId:${context.requestId}\nTime:${time}`
}
