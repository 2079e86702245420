import type { BearerCheck, BearerRequest } from '@rowkey/local'
import { describe, expect, it } from 'vitest'
import { isBearer } from '../../../packages/local/src/access/authorize.ts'
import { Conversation, codeOf, xmlCodeOf } from '../../support/local-conversation.ts'

const headers = { authorization: 'Bearer a.good.token' }

const checkedBy = async (bearer: BearerCheck) => {
  const service = new Conversation({ bearer })
  await service.send('POST', '/Tables', { body: { TableName: 'people' } })
  return service
}

describe('a bearer token', () => {
  it('is accepted when the check accepts it, and the check knows the request', async () => {
    const checked: [string, BearerRequest][] = []
    const service = await checkedBy((token, request) => {
      checked.push([token, request])
      return true
    })
    expect((await service.send('GET', '/people()?$top=1', { headers })).status).toBe(200)
    const body = { PartitionKey: 'a', RowKey: 'b' }
    expect((await service.send('POST', '/people', { headers, body })).status).toBe(201)
    await service.send('GET', '/Tables', { headers, isSecondary: true })
    const asked = { account: 'contoso', isSecondary: false }
    expect(checked).toEqual([
      ['a.good.token', { ...asked, method: 'GET', path: '/contoso/people()' }],
      ['a.good.token', { ...asked, method: 'POST', path: '/contoso/people' }],
      [
        'a.good.token',
        { ...asked, isSecondary: true, method: 'GET', path: '/contoso-secondary/Tables' },
      ],
    ])
  })

  it('is what follows the blanks of the header', async () => {
    const checked: string[] = []
    const service = await checkedBy((token) => checked.push(token) > 0)
    await service.send('GET', '/people()', { headers: { authorization: 'Bearer   a.token ' } })
    expect(checked).toEqual(['a.token'])
  })

  it.each([
    ['refuses', () => false],
    ['refuses later', async () => false],
    ['says something that is not yes', () => 'yes' as unknown as boolean],
  ])('gets the challenge when the check %s', async (_, check) => {
    const service = await checkedBy(check)
    const refused = await service.send('GET', '/people()', { headers })
    expect(xmlCodeOf(refused)).toEqual([401, 'InvalidAuthenticationInfo'])
    expect(refused.headers['www-authenticate']).toContain('resource_id=https://storage.azure.com')
  })

  it('cannot read access policies, which need the account key', async () => {
    const service = await checkedBy(() => true)
    const refused = await service.send('GET', '/people?comp=acl', { headers })
    expect(xmlCodeOf(refused)).toEqual([404, 'ResourceNotFound'])
  })

  it('gets 500 when the check throws, and the report does not contain the token', async () => {
    const errors: unknown[] = []
    const service = new Conversation({
      bearer: async () => {
        throw new RangeError('no keys')
      },
      onInternalError: (error) => errors.push(error),
    })
    const refused = await service.send('GET', '/Tables', { headers })
    expect(codeOf(refused)).toEqual([500, 'InternalError'])
    expect(errors).toEqual([new RangeError('no keys')])
  })
})

describe('isBearer', () => {
  it('recognizes the scheme', () => {
    expect(isBearer('Bearer x')).toBe(true)
    expect(isBearer('SharedKey contoso:x')).toBe(false)
  })
})
