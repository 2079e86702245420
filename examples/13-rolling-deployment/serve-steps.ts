/** One thing that a program does when its turn has come; it returns what happened. */
type Step = () => Promise<string>

/** Lets the deployment tell a program when to do what. The program ends with it. */
export function serveSteps(steps: Readonly<Record<string, Step>>): void {
  process.on('message', async (name: string) => {
    process.send?.(await steps[name]?.())
  })
}
