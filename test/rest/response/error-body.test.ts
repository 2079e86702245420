import type { HttpResponse } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readErrorBody,
  readPartErrorBody,
} from '../../../packages/rest/src/response/service-error.ts'
import { errorResponses } from '../../vectors/error-responses.ts'

const response: HttpResponse = { status: 503, headers: {}, body: '' }
const headers = { 'x-ms-error-code': 'ServerBusy' }

const bodyOf = (given: HttpResponse, found: object | undefined) =>
  readPartErrorBody({ ...given, body: JSON.stringify({ 'odata.error': found }) })

describe('an error response', () => {
  it('takes its code from the body, then the header, then the status', () => {
    const found = { code: 'A', message: '' }
    expect(bodyOf({ ...response, headers }, found).code).toBe('A')
    expect(bodyOf({ ...response, headers }, undefined).code).toBe('ServerBusy')
    expect(bodyOf(response, undefined).code).toBe('Http503')
  })

  it('loses the request id and the time in its message', () => {
    const message = 'No.\nRequestId:7944c5e8\nTime:2021-01-06T01:01:30.9536883Z'
    expect(bodyOf(response, { code: 'A', message }).message).toBe('No.')
  })

  it('does not show a signature that the service repeats', () => {
    const signature = 'RFdy7SPWcx+MACQMlCUgvdZC8R+k0dsPzmOyr/Nox5U='
    const message = `The MAC signature found in the HTTP request '${signature}' is not the same.`
    const body = bodyOf(response, { code: `x?sig=abc`, message })
    expect(JSON.stringify(body)).not.toMatch(/RFdy|abc/)
  })

  it.each([7, null, {}, [], undefined])('ignores a code and a message of %j', (garbage) => {
    expect(bodyOf(response, { code: garbage, message: garbage })).toEqual({
      code: 'Http503',
      message: 'The service gave no reason.',
    })
  })
})

describe('readErrorBody', () => {
  it.each(errorResponses)('reads $title', async ({ response, code, message }) => {
    expect(await readErrorBody(response)).toMatchObject({ code, message })
  })
})

describe('readPartErrorBody', () => {
  it('reads JSON, and ignores XML', () => {
    const body = '{"odata.error":{"code":"a","message":{"value":"b"}}}'
    expect(readPartErrorBody({ status: 400, headers: {}, body })).toEqual({
      code: 'a',
      message: 'b',
    })
    expect(readPartErrorBody({ status: 400, headers: {}, body: '<Error/>' }).code).toBe('Http400')
  })
})

const readJson = (body: string) => readPartErrorBody({ status: 400, headers: {}, body })

describe('an error in JSON', () => {
  it('has a code and a message', () => {
    const body = '{"odata.error":{"code":"a","message":{"lang":"en-US","value":"b"}}}'
    expect(readJson(body)).toEqual({ code: 'a', message: 'b' })
  })

  it.each(['{"error":{"code":"a","message":"b"}}', '{"code":"a","message":"b"}'])(
    'may be that of a gateway: %s',
    (body) => {
      expect(readJson(body)).toEqual({ code: 'a', message: 'b' })
    },
  )

  it('ignores members of the prototype', () => {
    expect(readJson('{"odata.error":{"__proto__":{"code":"a"}}}').code).toBe('Http400')
  })

  it('never throws, whatever the body', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        expect(() => readJson(body)).not.toThrow()
      }),
    )
  })
})

const none = { code: 'Http400', message: 'The service gave no reason.' }
const readXmlError = (body: string) => readErrorBody({ status: 400, headers: {}, body })

describe('an error in XML', () => {
  it.each([
    [
      '<m:error xmlns:m="x"><m:code>A</m:code><m:message xml:lang="en">b &lt;c&gt;</m:message></m:error>',
      'b <c>',
    ],
    ['<?xml version="1.0"?><Error><Code>A</Code><Message>b</Message></Error>', 'b'],
    ['<error><code>A</code><message>007</message></error>', '007'],
    ['\uFEFF<Error><Code>A</Code><Message>b</Message></Error>', 'b'],
  ])('reads %s', async (body, message) => {
    expect(await readXmlError(body)).toEqual({ code: 'A', message })
  })

  it('ignores a document type, whose entities could grow without bound', async () => {
    const body =
      '<!DOCTYPE e [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Error><Code>&b;</Code></Error>'
    expect(await readXmlError(body)).toEqual(none)
  })

  it('ignores a document that is too long for an error', async () => {
    const body = `<Error><Code>A</Code><Message>${'x'.repeat(70_000)}</Message></Error>`
    expect(await readXmlError(body)).toEqual(none)
  })

  it('does not touch prototypes', async () => {
    await readXmlError('<Error><__proto__><polluted>1</polluted></__proto__><Code>A</Code></Error>')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('never throws, whatever the body', async () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'Error',
      'Code',
      '&#99999999;',
      '&lt;',
      ' ',
      '"',
      ']]>',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(piece, fc.string())), async (pieces) => {
        const body = `<${pieces.join('')}`
        expect(await readXmlError(body)).toMatchObject({ code: expect.any(String) })
      }),
    )
  })
})
