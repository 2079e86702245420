import { expect, it } from 'vitest'
import { challenge } from '../../../packages/local/src/access/authorize.ts'

it('challenge names where to get tokens', () => {
  const { status, code, headers } = challenge()
  expect([status, code]).toEqual([401, 'InvalidAuthenticationInfo'])
  expect(headers['www-authenticate']).toMatch(
    /^Bearer authorization_uri=https:\S+\/oauth2\/authorize resource_id=https:\/\/storage\.azure\.com$/,
  )
})
