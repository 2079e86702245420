import { describe, expect, it } from 'vitest'
import { Rejection } from '../../../packages/local/src/rejection/rejection.ts'
import {
  jsonRejection,
  xmlRejection,
} from '../../../packages/local/src/response/rejection-response.ts'
import { textOf } from '../../../packages/local/src/response/service-response.ts'

const context = {
  requestId: 'fcac0d17',
  now: Date.UTC(2017, 10, 10, 2, 44, 34, 420),
  accept: 'application/json;odata=nometadata',
}

describe('jsonRejection', () => {
  it('is the recorded rejection of the service', () => {
    expect(jsonRejection(new Rejection('ResourceNotFound'), context)).toEqual({
      status: 404,
      headers: {
        'content-type': 'application/json;odata=nometadata;streaming=true;charset=utf-8',
        'x-ms-error-code': 'ResourceNotFound',
      },
      body: '{"odata.error":{"code":"ResourceNotFound","message":{"lang":"en-US","value":"The specified resource does not exist.\\nRequestId:fcac0d17\\nTime:2017-11-10T02:44:34.4200000Z"}}}',
    })
  })

  it('is ASCII JSON for any text', () => {
    const response = jsonRejection(new Rejection('InvalidInput', { text: '"\\é\n' }), context)
    const body = textOf(response.body)
    expect(body).toMatch(/^[ -~]*$/)
    expect(JSON.parse(body)['odata.error'].message.value).toMatch(/^"\\é\n\nRequestId/)
  })

  it('uses minimal metadata for a client that does not accept JSON', () => {
    const response = jsonRejection(new Rejection('AtomFormatNotSupported'), {
      ...context,
      accept: 'application/atom+xml',
    })
    expect(response.headers['content-type']).toContain('odata=minimalmetadata')
  })
})

describe('xmlRejection', () => {
  it('is the recorded rejection of the front end', () => {
    expect(xmlRejection(new Rejection('AuthenticationFailed'), context).body).toBe(
      '<?xml version="1.0" encoding="utf-8"?><m:error xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><m:code>AuthenticationFailed</m:code><m:message xml:lang="en-US">Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.\nRequestId:fcac0d17\nTime:2017-11-10T02:44:34.4200000Z</m:message></m:error>',
    )
  })

  it('escapes markup, and replaces characters that XML cannot contain', () => {
    const text = '<&>é\u0000\ud800😀'
    expect(xmlRejection(new Rejection('InvalidInput', { text }), context).body).toContain(
      '>&#60;&#38;&#62;&#233;&#65533;&#65533;&#128512;\nRequestId',
    )
  })
})
