import { expect, it } from 'vitest'
import { sasFindings } from '../../../packages/cli/src/doctor/sas-findings.ts'
import { runCli } from '../run-cli.ts'
import { openTables } from '../with-tables.ts'

it('takes a signature apart, and never shows it', async () => {
  await using tables = await openTables()
  const people = tables.account.table('people')
  await people.create()
  const sas = people.sas({ permissions: 'r', expiry: new Date(Date.now() + 600_000) })
  const target = sas.urlAt(tables.account.service.endpoint)
  const { printed } = await runCli(['doctor', '--target', target, '--json'])
  const { checks } = JSON.parse(printed)
  expect(checks).toContainEqual(
    expect.objectContaining({
      check: 'signature',
      detail: expect.stringMatching(/table people.*It may read\./),
    }),
  )
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'signature time', status: 'warning' }),
  )
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'list tables', status: 'warning' }),
  )
  const signature = new URL(target).searchParams.get('sig') ?? 'none'
  expect(printed).not.toContain(signature)
  expect(printed).not.toContain(encodeURIComponent(signature))
})

it.each([
  ['se=2026-01-01T00:00:00Z', 'failed', 'expired'],
  ['st=2027-01-01T00:00:00Z', 'failed', 'begins'],
  ['se=2026-12-01T00:00:00Z', 'ok', 'expires'],
])('judges the times of a signature: %s', (text, status, word) => {
  const findings = [
    ...sasFindings(
      new URLSearchParams(`${text}&sp=raud&spk=a&epk=b&sip=1.2.3.4`),
      Date.UTC(2026, 10, 22),
    ),
  ]
  expect(findings[0]?.detail).toContain(
    'It may read, add, update, delete. Only keys from a to b. Only from 1.2.3.4.',
  )
  expect(findings[1]).toMatchObject({ status, detail: expect.stringContaining(word) })
})
