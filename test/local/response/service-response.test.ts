import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  escapeJson,
  printContentType,
  printJsonString,
  xmlResponse,
} from '../../../packages/local/src/response/service-response.ts'
import { anyText } from '../../support/any-text.ts'
import { Conversation } from '../../support/local-conversation.ts'

describe('printContentType', () => {
  it('contains the metadata level as the service writes it', () => {
    expect(printContentType('nometadata')).toBe(
      'application/json;odata=nometadata;streaming=true;charset=utf-8',
    )
  })
})

describe('printJsonString', () => {
  it('escapes characters beyond ASCII, unit by unit', () => {
    expect(printJsonString('Ünï 😀 "q"')).toBe('"\\u00dcn\\u00ef \\ud83d\\ude00 \\"q\\""')
  })

  it('prints ASCII that parses to the same text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const json = printJsonString(text)
        expect(json).toMatch(/^[ -\x7f]*$/)
        expect(JSON.parse(json)).toBe(text)
      }),
    )
  })

  it('leaves ASCII as it is', () => {
    expect(escapeJson('{"a":1}')).toBe('{"a":1}')
  })
})

describe('xmlResponse', () => {
  it('is a document of XML', () => {
    expect(xmlResponse('<a />')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: '<a />',
    })
  })
})

const body = { PartitionKey: 'Smith', RowKey: "O'Jeff é" }
const address =
  "http://127.0.0.1:10002/contoso/people(PartitionKey='Smith',RowKey='O''Jeff%20%C3%A9')"

describe('createdResponse', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
  })

  it('R-48: returns the entity without a preference', async () => {
    const response = await service.send('POST', '/people', { body })
    expect(response.status).toBe(201)
    expect(response.headers.location).toBe(address)
    expect(response.headers).not.toHaveProperty('preference-applied')
    expect(JSON.parse(response.body)).toMatchObject(body)
  })

  it('R-48: returns no content when the client prefers that, and says so', async () => {
    const headers = { prefer: 'return-no-content' }
    const response = await service.send('POST', '/people', { headers, body })
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(response.headers).toMatchObject({
      location: address,
      dataserviceid: address,
      'preference-applied': 'return-no-content',
    })
    expect(response.headers).not.toHaveProperty('content-type')
  })

  it('R-48: says that it returns content when the client prefers that', async () => {
    const headers = { prefer: 'return-content' }
    const response = await service.send('POST', '/people', { headers, body })
    expect(response).toMatchObject({
      status: 201,
      headers: { 'preference-applied': 'return-content' },
    })
    expect(response.headers).not.toHaveProperty('dataserviceid')
  })
})
