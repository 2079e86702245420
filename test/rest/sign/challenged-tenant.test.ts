import { describe, expect, it } from 'vitest'
import { challengedTenant } from '../../../packages/rest/src/sign/challenged-tenant.ts'

const tenantOf = (challenge?: string) =>
  challengedTenant({
    status: 401,
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
    body: '',
  })

describe('challengedTenant', () => {
  it.each([
    'Bearer authorization_uri=https://login.microsoftonline.com/3f2a-b1/oauth2/authorize resource_id=https://storage.azure.com',
    'Bearer authorization_uri="https://login.microsoftonline.com/3f2a-b1", resource_id="x"',
    'bearer resource_id=x, authorization="https://login.microsoftonline.us/3f2a-b1/"',
  ])('finds the tenant in %s', (challenge) => {
    expect(tenantOf(challenge)).toBe('3f2a-b1')
  })

  it.each([
    undefined,
    '',
    'Basic realm="x"',
    'Bearer resource_id=https://storage.azure.com',
    'Bearer authorization_uri=nonsense',
    'Bearer authorization_uri=https://login.microsoftonline.com/',
    'Bearer authorization_uri=https://login.microsoftonline.com/a%2Fb/oauth2',
  ])('finds none in %j', (challenge) => {
    expect(tenantOf(challenge)).toBeUndefined()
  })
})
