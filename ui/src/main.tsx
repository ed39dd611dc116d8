import { render } from "preact";
import { loadGames } from "./lib/games";
import "./styles/base.css";
import "./styles/boards.css";
import "./styles/looks.css";
import "./styles/play.css";

// What the page begins with depends on the games that the server has.
void loadGames()
  .then(() => import("./app"))
  .then(({ App }) => render(<App />, document.getElementById("app")!));
