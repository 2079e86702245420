import { checkEntityKey, checkKeyText } from '@rowkey/odata'
import { keyCheckOf } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { withChecks } from '../../../packages/rest/src/checks/with-checks.ts'
import { contoso } from '../people.ts'

it('is the rules of the service, unless these are left to it', () => {
  expect(keyCheckOf(contoso)).toBe(checkEntityKey)
  expect(keyCheckOf(withChecks(contoso, { entitySize: 'by the service' }))).toBe(checkEntityKey)
  expect(keyCheckOf(withChecks(contoso, { keys: 'by the service' }))).toBe(checkKeyText)
})
