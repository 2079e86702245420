import { expect, it } from 'vitest'
import { diagnosticsListener } from '../../../../packages/rest/src/web/observe/diagnostics-listener.ts'

it('returns no listener', () => {
  expect(diagnosticsListener()).toBeUndefined()
})
