import type { Rejection } from '../rejection/rejection.ts'
import { metadataLevelOfRejection } from '../request/content-negotiation.ts'
import { printJsonString } from './ascii-json.ts'
import { printContentType, type ServiceResponse } from './service-response.ts'

/** The request that a rejection responds to. */
export interface RejectionContext {
  /** The service's own id of the request, which ends the text of the rejection. */
  readonly requestId: string
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  /** The `Accept` header, which decides the level of metadata. */
  readonly accept: string | undefined
}

/** Writes a rejection as the OData operations do. */
export function jsonRejection(rejection: Rejection, context: RejectionContext): ServiceResponse {
  const text = printJsonString(printText(rejection, context))
  return {
    status: rejection.status,
    headers: {
      ...rejection.headers,
      'content-type': printContentType(metadataLevelOfRejection(context.accept)),
      'x-ms-error-code': rejection.code,
    },
    body: `{"odata.error":{"code":"${rejection.code}","message":{"lang":"en-US","value":${text}}}}`,
  }
}

/** Writes a rejection as the front end and the XML operations do. */
export function xmlRejection(rejection: Rejection, context: RejectionContext): ServiceResponse {
  const text = printText(rejection, context).replace(XML_SPECIAL, escapeXml)
  return {
    status: rejection.status,
    headers: {
      ...rejection.headers,
      'content-type': 'application/xml',
      'x-ms-error-code': rejection.code,
    },
    body: `<?xml version="1.0" encoding="utf-8"?><m:error xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><m:code>${rejection.code}</m:code><m:message xml:lang="en-US">${text}</m:message></m:error>`,
  }
}

const XML_SPECIAL = /[^\t\n\r\u0020-\u007e]|[&<>]/gu

/** XML cannot contain every character, even escaped. The others become U+FFFD. */
function escapeXml(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const isHeld = code >= 0x20 && (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) !== 0xfffe
  return `&#${isHeld ? code : 0xfffd};`
}

/** Ends the text with the request's id and the time, always with seven digits. */
function printText(rejection: Rejection, context: RejectionContext): string {
  const time = new Date(context.now).toISOString().replace('Z', '0000Z')
  return `${rejection.message}\nRequestId:${context.requestId}\nTime:${time}`
}
