import { button, make } from "./making.js";
import { t, told } from "./words.js";

// While the computer that keeps the log does not answer: a bar that stays, and one tap that is kept until it is back.
// Nothing is shown as written before the log has it; whether the kept tap had arrived, the log says.

const TRY_AGAIN = 2000;

export class Waiting {
  constructor(send, said) {
    this.send = send;
    this.said = said;
    this.kept = null;
    this.element = make("div", { class: "away", role: "status", hidden: true });
  }

  // One tap is kept; another one is not, and that is said.
  refuses() {
    if (this.kept) {
      this.said(t("Your last tap is kept and is sent when it is back; it is not written yet."));
    }
    return Boolean(this.kept);
  }

  lost() {
    this.draw(true);
  }

  keep(what, body) {
    this.kept = { what, body };
    this.draw(true);
    this.again();
  }

  async again() {
    while (this.kept) {
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN));
      await this.found();
    }
  }

  // Somebody answers again, or may: send what was kept.
  async found() {
    const { kept } = this;
    if (!kept) {
      this.draw(false);
      return;
    }
    if (this.sending) {
      return;
    }
    this.sending = true;
    try {
      await this.send(kept.what, kept.body);
      this.kept = null;
      this.said(t("The computer answers again: what you tapped is written."));
    } catch (error) {
      if (error.status !== 0) {
        this.kept = null;
        this.told = error.status === 409 ? t("The computer answers again, but somebody else has written meanwhile: your tap is not written.") : told(error.message);
      }
    } finally {
      this.sending = false;
      this.draw(Boolean(this.kept));
    }
  }

  drop() {
    this.kept = null;
    this.draw(true);
  }

  // What became of the tap stays until somebody has read it.
  draw(isAway) {
    this.element.hidden = !isAway && !this.told;
    if (!isAway && this.told) {
      this.element.replaceChildren(`${this.told} `, button(t("Close"), t("Close"), () => {
        this.told = "";
        this.draw(false);
      }));
      return;
    }
    document.getElementById("scribe").classList.toggle("is-away", isAway);
    this.element.replaceChildren(t("The computer that keeps the log does not answer."), " ",
      this.kept ? `${t("Your last tap is kept and is sent when it is back; it is not written yet.")} ` : t("What you tap now is kept until it is back."),
      this.kept ? button(t("Forget the tap"), t("Do not send it"), () => this.drop()) : "");
  }
}
