import type { BearerCheck, BearerRequest } from '@rowkey/local'
import { beforeEach, describe, expect, it } from 'vitest'
import { challenge, isBearer } from '../../../packages/local/src/access/authorize.ts'
import {
  ACCOUNT,
  Conversation,
  codeOf,
  KEY,
  NOON,
  sign,
  xmlCodeOf,
} from '../../support/local-conversation.ts'
import { accountSas } from '../../support/local-sas.ts'

const minute = 60_000

describe('authorize', () => {
  let service: Conversation
  beforeEach(() => {
    service = new Conversation()
  })

  const statusWith = async (headers: Record<string, string | undefined>, target = '/Tables') =>
    (await service.send('GET', target, { headers })).status

  const date = new Date(NOON).toUTCString()
  const lite = (text: string) => `SharedKeyLite ${ACCOUNT}:${sign(text)}`
  const resource = `/${ACCOUNT}/${ACCOUNT}/Tables`

  it('R-61: accepts SharedKeyLite over date and resource', async () => {
    expect(await statusWith({ authorization: lite(`${date}\n${resource}`) })).toBe(200)
  })

  it('R-60: accepts SharedKey over verb, MD5, type, date and resource', async () => {
    // The MD5 of an empty body; the service checks it.
    const md5 = '1B2M2Y8AsgTpgAmY7PhCfg=='
    const text = `GET\n${md5}\napplication/json\n${date}\n${resource}`
    expect(
      await statusWith({
        authorization: `SharedKey ${ACCOUNT}:${sign(text)}`,
        'content-md5': md5,
        'content-type': 'application/json',
      }),
    ).toBe(200)
    const bare = `GET\n\n\n${date}\n${resource}`
    expect(await statusWith({ authorization: `SharedKey ${ACCOUNT}:${sign(bare)}` })).toBe(200)
    expect(await statusWith({ authorization: `SharedKey ${ACCOUNT}:${sign(text)}` })).toBe(403)
  })

  it('R-60: signs the comp parameter and no other', async () => {
    const authorization = lite(`${date}\n/${ACCOUNT}/${ACCOUNT}/people?comp=acl`)
    expect(await statusWith({ authorization }, '/people?timeout=10&comp=acl')).toBe(404)
    expect(await statusWith({ authorization }, '/people?timeout=10&comp=x')).toBe(403)
  })

  it('R-60: signs the path as it was sent', async () => {
    const target = "/people(PartitionKey='a%27%27b',RowKey='%63')"
    const authorization = lite(`${date}\n/${ACCOUNT}/${ACCOUNT}${target}`)
    expect(await statusWith({ authorization }, target)).toBe(404)
    expect(await statusWith({ authorization }, target.replace('%63', 'c'))).toBe(403)
  })

  it('R-63: prefers x-ms-date to date, and accepts date alone', async () => {
    const authorization = lite(`${date}\n${resource}`)
    const other = new Date(NOON - minute).toUTCString()
    expect(await statusWith({ authorization, date: other })).toBe(200)
    expect(await statusWith({ authorization, 'x-ms-date': undefined, date })).toBe(200)
    expect(await statusWith({ authorization, 'x-ms-date': undefined })).toBe(403)
  })

  it('R-63: rejects a date more than 15 minutes from the service clock', async () => {
    const at = (offset: number) => {
      const text = new Date(NOON + offset).toUTCString()
      return statusWith({ 'x-ms-date': text, authorization: lite(`${text}\n${resource}`) })
    }
    expect(await at(-15 * minute)).toBe(200)
    expect(await at(15 * minute)).toBe(200)
    expect(await at(-15 * minute - 1000)).toBe(403)
    expect(await at(15 * minute + 1000)).toBe(403)
  })

  it.each([
    'soon',
    new Date(NOON).toISOString(),
    date.replace(' GMT', ''),
    date.replace('GMT', 'UTC'),
    date.replace('GMT', '+0000'),
    date.replace(/^\w+, /, ''),
    `${date} (noon)`,
  ])('R-63: rejects %s, which is not a valid date', async (text) => {
    const authorization = lite(`${text}\n${resource}`)
    expect(await statusWith({ authorization, 'x-ms-date': text })).toBe(403)
    expect(await statusWith({ authorization, 'x-ms-date': undefined, date: text })).toBe(403)
  })

  it.each([
    ['another key', `SharedKeyLite ${ACCOUNT}:${Buffer.alloc(32).toString('base64')}`],
    ['a signature that is too short', `SharedKeyLite ${ACCOUNT}:AAAA`],
    ['another account', `SharedKeyLite fabrikam:${sign(`${date}\n${resource}`)}`],
  ])('R-62: rejects %s with AuthenticationFailed', async (_, authorization) => {
    const response = await service.send('GET', '/Tables', { headers: { authorization } })
    expect(response.status).toBe(403)
    expect(response.headers['x-ms-error-code']).toBe('AuthenticationFailed')
    expect(response.body).not.toContain(KEY)
  })

  it.each([
    'SharedKey',
    'Basic abc',
    'SharedKey contoso',
    'SharedKey contoso:',
    'sharedkey a:AAAA',
  ])('rejects the malformed header %s', async (authorization) => {
    const response = await service.send('GET', '/Tables', { headers: { authorization } })
    expect(response.status).toBe(400)
    expect(response.headers['x-ms-error-code']).toBe('InvalidAuthenticationInfo')
  })

  it('sends the challenge to a request without Authorization, depending on its version', async () => {
    const send = (version: string) =>
      service.send('GET', '/Tables', {
        headers: { authorization: undefined, 'x-ms-version': version },
      })
    const old = await send('2019-07-07')
    expect([old.status, old.headers['x-ms-error-code']]).toEqual([403, 'AuthenticationFailed'])
    const challenged = await send('2020-12-06')
    expect(challenged.status).toBe(401)
    expect(challenged.headers['www-authenticate']).toMatch(/^Bearer authorization_uri=/)
  })

  it('rejects bearer tokens without a check of them', async () => {
    expect(await statusWith({ authorization: 'Bearer token' })).toBe(401)
  })

  it('R-117: accepts a signature over the path of the secondary or of the primary', async () => {
    const onSecondary = async (resource: string) => {
      const headers = { authorization: lite(`${date}\n/${ACCOUNT}${resource}`) }
      return (await service.send('GET', '/Tables', { headers, isSecondary: true })).status
    }
    expect(await onSecondary(`/${ACCOUNT}-secondary/Tables`)).toBe(200)
    expect(await onSecondary(`/${ACCOUNT}/Tables`)).toBe(200)
    expect(await onSecondary('/Tables')).toBe(403)
    expect(
      await statusWith({
        authorization: lite(`${date}\n${resource.replace(/o\//, 'o-secondary/')}`),
      }),
    ).toBe(403)
  })

  it('R-68: accepts a signature in the URL of a request without the header', async () => {
    const sas = accountSas()
    expect((await service.send('GET', '/Tables', { sas })).status).toBe(200)
    expect((await service.send('GET', '/Tables', { sas: accountSas({ sig: 'x' }) })).status).toBe(
      403,
    )
    const headers = { authorization: lite(`${date}\n${resource}x`) }
    expect((await service.send('GET', '/Tables', { sas, headers })).status).toBe(403)
  })
})

it('challenge names where to get tokens', () => {
  const { status, code, headers } = challenge()
  expect([status, code]).toEqual([401, 'InvalidAuthenticationInfo'])
  expect(headers['www-authenticate']).toMatch(
    /^Bearer authorization_uri=https:\S+\/oauth2\/authorize resource_id=https:\/\/storage\.azure\.com$/,
  )
})

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
