import { describe, expect, it } from 'vitest'
import { Conversation, xmlCodeOf } from '../../support/local-conversation.ts'

const HEAD = '\ufeff<?xml version="1.0" encoding="utf-8"?>'

describe('getTableAcl', () => {
  it('R-74: returns no policies for a new table', async () => {
    const service = await Conversation.withTable('people')
    const response = await service.send('GET', '/People?comp=acl')
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('application/xml')
    expect(response.body).toBe(`${HEAD}<SignedIdentifiers />`)
  })

  it('R-74: responds TableNotFound for a missing table', async () => {
    const response = await new Conversation().send('GET', '/people?comp=acl')
    expect(xmlCodeOf(response)).toEqual([404, 'TableNotFound'])
  })

  it('R-117: works on the secondary too', async () => {
    const service = await Conversation.withTable('people')
    const response = await service.send('GET', '/people?comp=acl', { isSecondary: true })
    expect(response.status).toBe(200)
  })
})
