import type { HttpResponse } from '@rowkey/rest'

interface ErrorResponse {
  readonly title: string
  readonly response: HttpResponse
  readonly code: string
  readonly message: string
}

const JSON_TYPE = 'application/json;odata=minimalmetadata;streaming=true;charset=utf-8'

/** Error responses of services, emulators and proxies, as recorded. */
export const errorResponses: readonly ErrorResponse[] = [
  {
    title: 'JSON of Table storage',
    response: {
      status: 409,
      headers: { 'content-type': JSON_TYPE },
      body: '{"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US","value":"The specified entity already exists.\\nRequestId:e9c8caae-0002-0027-49ce-593933000000\\nTime:2017-11-10T02:46:55.8494648Z"}}}',
    },
    code: 'EntityAlreadyExists',
    message: 'The specified entity already exists.',
  },
  {
    title: 'JSON of Cosmos DB, which ends in a line break',
    response: {
      status: 412,
      headers: { 'content-type': 'application/json;odata=fullmetadata' },
      body: '{"odata.error":{"code":"UpdateConditionNotSatisfied","message":{"lang":"en-us","value":"The update condition specified in the request was not satisfied.\\nRequestID:00000000-0000-0000-0000-000000000000\\n"}}}\r\n',
    },
    code: 'UpdateConditionNotSatisfied',
    message: 'The update condition specified in the request was not satisfied.',
  },
  {
    title: 'XML of Table storage',
    response: {
      status: 403,
      headers: { 'content-type': 'application/xml', 'x-ms-error-code': 'AuthenticationFailed' },
      body: '<?xml version="1.0" encoding="utf-8"?><m:error xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><m:code>AuthenticationFailed</m:code><m:message xml:lang="en-US">Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.\nRequestId:00000000-0002-0000-0000-000000000000\nTime:2021-01-06T01:01:30.9536883Z</m:message></m:error>',
    },
    code: 'AuthenticationFailed',
    message:
      'Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.',
  },
  {
    title: 'XML of an emulator',
    response: {
      status: 403,
      headers: { 'content-type': 'application/xml' },
      body: '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Error><Code>AuthorizationFailure</Code><Message>This request is not authorized &amp; refused.\nRequestId:1\nTime:2</Message></Error>',
    },
    code: 'AuthorizationFailure',
    message: 'This request is not authorized & refused.',
  },
  {
    title: 'nothing but a header',
    response: { status: 400, headers: { 'x-ms-error-code': 'InvalidHeaderValue' }, body: '' },
    code: 'InvalidHeaderValue',
    message: 'The service gave no reason.',
  },
  {
    title: 'nothing at all',
    response: { status: 502, headers: {}, body: '' },
    code: 'Http502',
    message: 'The service gave no reason.',
  },
  {
    title: 'the page of a proxy',
    response: {
      status: 503,
      headers: { 'content-type': 'text/html' },
      body: '<!DOCTYPE html><html><body><h1>503</h1>',
    },
    code: 'Http503',
    message:
      'The response is an HTML page, so it is not from the Table service. Check the endpoint, and any proxy in between.',
  },
  {
    title: 'JSON of something else',
    response: { status: 500, headers: {}, body: '{"odata.error":[null,{"code":{}}],"x":1}' },
    code: 'Http500',
    message: 'The service gave no reason.',
  },
  {
    title: 'JSON that breaks off',
    response: { status: 500, headers: {}, body: '{"odata.error":{"code":"Internal' },
    code: 'Http500',
    message: 'The service gave no reason.',
  },
]
