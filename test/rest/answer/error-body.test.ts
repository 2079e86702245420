import { describe, expect, it } from 'vitest'
import { toErrorBody } from '../../../packages/rest/src/answer/error-body.ts'

const response = { status: 503, headers: {}, body: '' }
const headers = { 'x-ms-error-code': 'ServerBusy' }

describe('toErrorBody', () => {
  it('prefers the body to the header, and the header to the status', () => {
    const found = { code: 'A', message: '' }
    expect(toErrorBody({ ...response, headers }, found).code).toBe('A')
    expect(toErrorBody({ ...response, headers }, undefined).code).toBe('ServerBusy')
    expect(toErrorBody(response, undefined).code).toBe('Http503')
  })

  it('takes request id and time off the text', () => {
    const message = 'No.\nRequestId:7944c5e8\nTime:2021-01-06T01:01:30.9536883Z'
    expect(toErrorBody(response, { code: 'A', message }).message).toBe('No.')
  })

  it('shows no signature that the service says back', () => {
    const signature = 'RFdy7SPWcx+MACQMlCUgvdZC8R+k0dsPzmOyr/Nox5U='
    const message = `The MAC signature found in the HTTP request '${signature}' is not the same.`
    const body = toErrorBody(response, { code: `x?sig=abc`, message })
    expect(JSON.stringify(body)).not.toMatch(/RFdy|abc/)
  })

  it.each([7, null, {}, [], undefined])('takes a code and a text of %j for none', (garbage) => {
    expect(toErrorBody(response, { code: garbage, message: garbage })).toEqual({
      code: 'Http503',
      message: 'The service gave no reason.',
    })
  })
})
