import { expect, it } from 'vitest'
import { SharedKeyCredential } from '../../../../packages/rest/src/web/sign/shared-key-credential.ts'

it('is rejected in favour of credentials with fewer rights', () => {
  expect(() => new SharedKeyCredential()).toThrow(
    expect.objectContaining({
      code: 'InvalidCredential',
      message: expect.stringMatching(/SasCredential.*BearerCredential/),
    }),
  )
})
