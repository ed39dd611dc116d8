export function LearnPage() { return <main class="narrow">…</main>; }
