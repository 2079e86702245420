import { Command } from 'commander'
import type { Account } from 'rowkey'
import type { Finding } from '../doctor/finding.ts'
import { networkFindings } from '../doctor/network-findings.ts'
import { sasFindings } from '../doctor/sas-findings.ts'
import { clockFindings, credentialFindings } from '../doctor/service-findings.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { type Environment, readEnvironment } from '../target/environment.ts'
import { addressOf, withAccount } from '../target/open-account.ts'
import { sasParameters } from '../target/sas-parameters.ts'
import { type Target, type TargetOptions, withTarget } from '../target/target-options.ts'

/** `rowkey doctor`: finds out why an account cannot be used. */
export function doctorCommand(shell: Shell): Command {
  return withTarget(new Command('doctor'))
    .description(
      'checks the name, the connection, TLS, the clock, the credential and CORS of an account; writes nothing',
    )
    .action(async ({ json, ...target }: TargetOptions) => {
      const environment = await readEnvironment(shell)
      await withAccount(shell, target, async (account, place) => {
        const findings: Finding[] = []
        for await (const finding of findingsOf(shell, { ...target, account, environment })) {
          findings.push(finding)
          if (!json) await shell.print(findingText(finding))
        }
        if (json) await printJson(shell, { account: place, checks: findings })
        if (findings.some(({ status }) => status === 'failed')) shell.exitCode = EXIT.failed
      })
    })
}

interface Patient extends Target {
  readonly account: Account
  readonly environment: Environment
}

/** Runs the checks; when the network fails, those that need it are left out. */
async function* findingsOf(
  shell: Shell,
  { account, environment, ...target }: Patient,
): AsyncGenerator<Finding, void, undefined> {
  const { address } = await addressOf(target, environment, shell)
  const isEmbedded = typeof address === 'string' && /^\s*(?:file|memory):/i.test(address)
  if (!isEmbedded) {
    const { origin, basePath } = account.service.endpoint
    let isReachable = true
    for await (const finding of networkFindings(origin, environment, shell.now())) {
      yield finding
      if (finding.status === 'failed') isReachable = false
    }
    if (!isReachable) return
    const responds = yield* clockFindings(`${origin}${basePath}`, shell.now, shell.signal)
    if (!responds) return
  }
  const parameters = sasParameters(address, environment)
  if (parameters !== undefined) yield* sasFindings(parameters, shell.now())
  yield* credentialFindings(account, shell.signal)
}

const SIGNS: Readonly<Record<Finding['status'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  failed: 'failed ',
}

function findingText({ check, status, detail, remedy }: Finding): string {
  const advice = remedy === undefined ? '' : `${' '.repeat(10)}${remedy}\n`
  return `${SIGNS[status]}   ${check}: ${withoutControls(detail)}\n${advice}`
}
