import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, xmlCodeOf } from '../../support/local-conversation.ts'

const HEAD = '\ufeff<?xml version="1.0" encoding="utf-8"?>'
const sent = (content: string) =>
  `<?xml version='1.0' encoding='utf-8'?>\n<SignedIdentifiers>${content}</SignedIdentifiers>`

describe('setTableAcl', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
  })

  const set = (body: string) =>
    service.send('PUT', '/people?comp=acl', {
      body,
      headers: { 'content-type': 'application/xml' },
    })
  const get = async () => (await service.send('GET', '/people?comp=acl')).body

  it('R-74: stores recorded policies, and returns times with seven digits', async () => {
    const response = await set(
      sent(
        '<SignedIdentifier><Id>testid</Id><AccessPolicy><Start>2011-10-11</Start><Expiry>2011-10-12</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier>',
      ),
    )
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(await get()).toBe(
      `${HEAD}<SignedIdentifiers><SignedIdentifier><Id>testid</Id><AccessPolicy><Start>2011-10-11T00:00:00.0000000Z</Start><Expiry>2011-10-12T00:00:00.0000000Z</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>`,
    )
  })

  it('R-74: stores a recorded policy without fields', async () => {
    await set(sent('<SignedIdentifier><Id>empty</Id><AccessPolicy /></SignedIdentifier>'))
    expect(await get()).toBe(
      `${HEAD}<SignedIdentifiers><SignedIdentifier><Id>empty</Id></SignedIdentifier></SignedIdentifiers>`,
    )
  })

  it('R-74: replaces all policies, and removes them all with an empty body', async () => {
    await set(sent('<SignedIdentifier><Id>a</Id></SignedIdentifier>'))
    await set(sent('<SignedIdentifier><Id>b</Id></SignedIdentifier>'))
    expect(await get()).toContain('<SignedIdentifiers><SignedIdentifier><Id>b</Id>')
    expect((await set('')).status).toBe(204)
    expect(await get()).toBe(`${HEAD}<SignedIdentifiers />`)
  })

  it('R-74: changes nothing when a policy is rejected', async () => {
    await set(sent('<SignedIdentifier><Id>a</Id></SignedIdentifier>'))
    const before = await get()
    const response = await set(sent('<SignedIdentifier><Id>a</Id><Key/></SignedIdentifier>'))
    expect(xmlCodeOf(response)).toEqual([400, 'InvalidXmlDocument'])
    expect(await get()).toBe(before)
  })

  it('R-74: responds TableNotFound for a missing table, and drops policies with their table', async () => {
    await set(sent('<SignedIdentifier><Id>a</Id></SignedIdentifier>'))
    await service.send('DELETE', "/Tables('people')")
    expect(xmlCodeOf(await set(sent('')))).toEqual([404, 'TableNotFound'])
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    expect(await get()).toBe(`${HEAD}<SignedIdentifiers />`)
  })
})
