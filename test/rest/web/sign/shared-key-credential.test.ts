import { expect, it } from 'vitest'
import { SharedKeyCredential } from '../../../../packages/rest/src/web/sign/shared-key-credential.ts'

it('is refused in favour of credentials that are not the whole account', () => {
  expect(() => new SharedKeyCredential()).toThrow(
    expect.objectContaining({
      code: 'InvalidCredential',
      message: expect.stringMatching(/SasCredential.*BearerCredential/),
    }),
  )
})
