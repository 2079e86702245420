import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { AccessTokenSource } from '@rowkey/rest'
import { cliInputError } from '../errors/codes.ts'

/** The package of the user's own that signs in by all ways of Azure. */
const IDENTITY = '@azure/identity'

/**
 * Returns where tokens of Microsoft Entra ID come from: the `DefaultAzureCredential` of `@azure/identity` when the project or the
 * command has it, else the Azure CLI.
 *
 * @param folder - the folder of the project
 */
export async function entraTokens(folder: string): Promise<AccessTokenSource> {
  const path = pathOf(join(folder, 'package.json')) ?? pathOf(import.meta.url)
  if (path === undefined) return { getToken: cliToken }
  const { DefaultAzureCredential } = (await import(pathToFileURL(path).href)) as {
    readonly DefaultAzureCredential: new () => AccessTokenSource
  }
  return new DefaultAzureCredential()
}

function pathOf(from: string): string | undefined {
  try {
    return createRequire(from).resolve(IDENTITY)
  } catch {
    return undefined
  }
}

/** What the Azure CLI prints; older versions print the local time alone. */
interface CliToken {
  readonly accessToken: string
  readonly expiresOn: string
  /** Seconds since 1970. */
  readonly expires_on?: number
}

/** Asks the Azure CLI for a token of who has signed in by `az login`. */
const cliToken: AccessTokenSource['getToken'] = async (scope, { tenantId } = {}) => {
  const args = ['account', 'get-access-token', '--output', 'json', '--scope', scope]
  if (tenantId !== undefined) args.push('--tenant', tenantId)
  // On Windows it is a script, which only a shell runs.
  const options = { shell: process.platform === 'win32' }
  const { stdout } = await promisify(execFile)('az', args, options).catch((error) => {
    throw notSignedIn(error)
  })
  const { accessToken: token, expiresOn, expires_on: seconds } = JSON.parse(stdout) as CliToken
  const expiresOnTimestamp = seconds === undefined ? Date.parse(expiresOn) : seconds * 1000
  return { token, expiresOnTimestamp }
}

function notSignedIn({ code, stderr }: { code?: unknown; stderr?: string }): Error {
  const [said = ''] = (stderr ?? '').trim().split('\n')
  const found =
    code === 'ENOENT' ? 'The Azure CLI is not installed.' : `The Azure CLI says: ${said}`
  return cliInputError(
    'MissingTarget',
    `${found} Run az login, or npm install ${IDENTITY} and sign in by one of its ways.`,
  )
}
