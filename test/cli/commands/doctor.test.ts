import { expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { openTables } from '../with-tables.ts'

it('finds nothing wrong with a service that runs', async () => {
  await using tables = await openTables()
  const { code, printed } = await runCli('doctor --json', { target: tables.target })
  expect(code).toBe(0)
  const { checks } = JSON.parse(printed)
  expect(
    checks.map(({ check, status }: { check: string; status: string }) => `${check} ${status}`),
  ).toEqual([
    'proxy ok',
    'name ok',
    'connection ok',
    'tls warning',
    'service ok',
    'clock ok',
    'list tables ok',
    'cors ok',
  ])
  expect(printed).not.toContain('AccountKey')
})
