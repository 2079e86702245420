/** What a program does, step by step; each returns what happened. */
export type Steps = Readonly<Record<string, () => Promise<string>>>

/** Lets the deployment tell a program when to do what. The program ends with it. */
export function serveSteps(steps: Steps): void {
  process.on('message', async (name: string) => {
    process.send?.(await steps[name]?.())
  })
}
