import { once } from 'node:events'
import { isAbsolute, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { Account } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { loadModels } from '../model/load-model.ts'
import { printJson, type Shell } from '../shell/shell.ts'
import { loadStudio, type StudioSettings } from '../studio/load-studio.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'

interface StudioOptions extends TargetOptions {
  readonly port: number
  readonly write?: true
  readonly models?: string
  readonly publicUrl?: URL
}

/** The same for all, so that the address of a view works for a colleague, too. */
const DEFAULT_PORT = 10_020

/** `rowkey studio [target]`: shows tables in a browser. */
export function studioCommand(shell: Shell): Command {
  return withTarget(new Command('studio'))
    .description('shows tables in a browser of this machine, until Ctrl+C')
    .argument('[target]', 'the account, in place of --target')
    .option('--write', 'allows to edit, insert and delete rows')
    .option(
      '--models <module>',
      'a module with models, whose names are shown; TypeScript needs esbuild beside it',
    )
    .option(
      '--port <number>',
      'listens on this port of 127.0.0.1; 0 selects a free one',
      portNumber,
      DEFAULT_PORT,
    )
    .option(
      '--public-url <url>',
      'where the browser reaches the studio: through ssh -L on another port, or through a proxy',
      publicUrl,
    )
    .action(async (named: string | undefined, options: StudioOptions) => {
      const target = named ?? options.target
      if (named !== undefined && options.target !== undefined) {
        throw cliInputError(
          'InvalidArgument',
          'Give the target once: as an argument, or as --target.',
        )
      }
      const models = await modelsOf(shell, options)
      await withAccount(shell, { ...options, target }, (account, place) =>
        serveStudio(shell, account, { ...options, target, modules: models, place }),
      )
    })
}

async function modelsOf(
  shell: Shell,
  { models }: StudioOptions,
): Promise<StudioSettings['models']> {
  if (models === undefined) return undefined
  const path = resolve(shell.folder, models)
  return { exports: (await loadModels(path)).models, path }
}

/** Serves until the process is asked to stop. */
async function serveStudio(
  shell: Shell,
  account: Account,
  options: Omit<StudioOptions, 'target'> & {
    readonly target: string | undefined
    readonly modules: StudioSettings['models']
    readonly place: string
  },
): Promise<void> {
  const { target, port, publicUrl, modules: models, place, json } = options
  const isWritable = options.write === true
  const { startStudio } = await loadStudio()
  const studio = await startStudio({
    account,
    models,
    port,
    publicUrl,
    facts: {
      // All folders have the same account name.
      account: isAbsolute(place) ? place : account.service.endpoint.account,
      place,
      target: [
        ...(target === undefined ? [] : ['--target', publicTarget(target)]),
        ...(options.flavour === undefined ? [] : ['--flavour', options.flavour]),
        ...(options.auth === undefined ? [] : ['--auth', options.auth]),
      ],
      isWritable,
    },
    signal: shell.signal,
  })
  try {
    const { url, port: own } = studio
    const stopped = once(shell.signal, 'abort')
    if (json) await printJson(shell, { account: place, url, port: own, write: isWritable })
    else {
      const mode = isWritable ? 'and may change rows' : 'and changes nothing; --write allows it'
      const listens = publicUrl === undefined ? '' : ` It listens on 127.0.0.1:${own}.`
      await shell.print(
        `The studio shows ${place}, ${mode}.${listens} Open this address once; Ctrl+C stops the studio.\n${url}\n`,
      )
    }
    if (!shell.signal.aborted) await stopped
  } finally {
    await studio.close()
  }
}

/** A target that may be shown: a profile, an emulator or a folder. All others hold a credential. */
function publicTarget(target: string): string {
  return target.includes('=') ? '$ROWKEY_TARGET' : target
}

/**
 * Reads a port.
 *
 * @throws InvalidArgumentError for any other text
 */
function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

/**
 * Reads the address of a studio behind a tunnel or a proxy. Its path ends with a slash.
 *
 * @throws InvalidArgumentError for any other text
 */
function publicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && url.search + url.hash === ''
  if (!isPlain || url.username !== '') {
    throw new InvalidArgumentError(
      'It must be a URL such as http://localhost:8080/ or https://host/tables/.',
    )
  }
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`)
}
