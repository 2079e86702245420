import { expect, it } from 'vitest'
import { diagnosticsListener } from '../../../../packages/rest/src/web/observe/diagnostics-listener.ts'

it('listens to nothing', () => {
  expect(diagnosticsListener()).toBeUndefined()
})
