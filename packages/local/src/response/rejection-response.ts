import { FilterSyntaxError } from '@rowkey/odata'
import type { Rejection, RejectionCode } from '../rejection/rejection.ts'
import { metadataLevelOfRejection } from '../request/content-negotiation.ts'
import { printContentType, printJsonString, type ServiceResponse } from './service-response.ts'

/** The request that a rejection responds to. */
interface RejectionContext {
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
    ...(rejection.cause instanceof FilterSyntaxError && { lacksCacheControl: true }),
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

/** Rejects a path with control characters as a web server does: without a code of the service. */
export function invalidUrl(): ServiceResponse {
  return {
    status: 400,
    headers: { 'content-type': 'text/html; charset=us-ascii' },
    body: '<!DOCTYPE html><title>Bad Request</title><h2>Bad Request - Invalid URL</h2>',
  }
}

/** What Cosmos DB says in place of a code and its text. */
interface CosmosWords {
  readonly code: string
  readonly text: string
  readonly status?: number
  /** Whether the text names the activity and the software of the server. */
  readonly hasActivity?: boolean
}

const INVALID = {
  code: 'InvalidInput',
  text: 'One of the input values is invalid.',
  status: 400,
  hasActivity: true,
}
const INVALID_URL = { ...INVALID, text: 'Request url is invalid.' }

/** The words as they were recorded. All other rejections have those of Table storage. */
const WORDS: { readonly [Code in RejectionCode]?: CosmosWords } = {
  InvalidInput: INVALID,
  InvalidUri: INVALID_URL,
  MethodNotAllowed: INVALID,
  NotImplemented: {
    code: 'NotImplemented',
    text: 'The requested operation is not supported.',
    hasActivity: true,
  },
  PropertiesNeedValue: {
    code: 'PropertiesNeedValue',
    text: 'PartitionKey/RowKey cannot be empty',
    hasActivity: true,
  },
  TableAlreadyExists: { code: 'TableAlreadyExists', text: 'The specified table already exists.' },
  TableNotFound: {
    code: 'ResourceNotFound',
    text: 'The specified resource does not exist.',
  },
  TooManyRequests: {
    code: '429',
    text: 'Message: {"Errors":["Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429"]}',
    hasActivity: true,
  },
}

/** Writes a rejection as Cosmos DB does: JSON, whatever the client accepts. */
export function cosmosRejection(
  rejection: Rejection,
  { requestId }: RejectionContext,
): ServiceResponse {
  const { code, text, status, hasActivity } = wordsOf(rejection)
  const activity = hasActivity ? `\r\nActivityId: ${requestId}, Rowkey-Local-Table/1.0` : ''
  const { index } = rejection
  const place = index === undefined ? text : `${index}:${text}\n`
  const value = JSON.stringify(`${place}${activity}\nRequestID:${requestId}\n`)
  return {
    status: status ?? rejection.status,
    headers: { ...rejection.headers, 'content-type': 'application/json;odata=fullmetadata' },
    body: `{"odata.error":{"code":"${code}","message":{"lang":"en-us","value":${value}}}}\r\n`,
  }
}

const INDEX = /^\d+:/

function wordsOf({ code, message, cause }: Rejection): CosmosWords {
  if (cause instanceof FilterSyntaxError) return INVALID_URL
  return WORDS[code] ?? { code, text: message.replace(INDEX, '') }
}
