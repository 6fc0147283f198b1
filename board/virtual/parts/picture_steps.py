"""Steps that take pictures and compare them."""
import os

from machine import GuestError
from maps import Mosaic
from picture import Picture
from values import Mistake, Unmet


# Which part of the tiles is to be seen at least when things are over the map; 0.87 to 0.95 are usual.
SEEN = 2 / 3


class PictureSteps:
    """The pictures of a `Performance`: photographs, screenshots and mosaics, by name."""

    def keep(self, name, picture):
        self.pictures[name] = picture
        picture.write_png(os.path.join(self.folder, f"{name}.png"))

    def taken(self, card=0):
        """A photograph of the panel, turned back as the mounting turns it."""
        path = os.path.join(self.folder, "panel.ppm")
        self.guest.photograph(path, card)
        panel = Picture.of_ppm(path)
        os.remove(path)
        if self.daemon and self.daemon.ended is None and self.daemon.calls:
            try:
                self.rotation = (self.daemon.call("status")["display"] or {}).get("rotation", 0)
            except GuestError:  # it is on its way out
                pass
        return panel.turned_back(self.rotation)

    def do_photograph(self, name, card="0"):
        self.keep(name, self.taken(int(card)))

    def do_screenshot(self, name):
        self.keep(name, self.daemon.screenshot())

    def do_mosaic(self, name, folder=None):
        """The tiles of a folder as the present view shows them; $PATTERN's without one."""
        folder = folder or self.places["PATTERN"]
        view = self.daemon.call("view.get")
        if view["bearing"] or view["zoom"] != int(view["zoom"]):
            raise Mistake("a mosaic needs a whole zoom, north up")
        mosaic = self.mosaics.setdefault(folder, Mosaic(folder))
        if self.over:
            self.bare.add(name)
        self.keep(name, mosaic.view(
            view["lat"], view["lon"], int(view["zoom"]), view["width"], view["height"]))

    def expect_screen(self, *words):
        """expect screen [= screenshot] [= mosaic [FOLDER]] [on CARD]: settled, the photograph is
        equal to those, or to both where none is named. With things over the map it differs from the
        mosaic, and most of its pixels do not."""
        card = 0
        if words[-2:-1] == ("on",):
            card, words = int(words[-1]), words[:-2]
        wanted = " ".join(words).split("=")[1:] or ["screenshot", "mosaic"]
        self.do_settle()
        for name, *folder in (text.split() for text in wanted):
            if name == "screenshot":
                self.do_screenshot(name)
            elif name == "mosaic":
                self.do_mosaic(name, *folder)
            else:
                raise Mistake("expect screen = screenshot, or = mosaic")
        # The emulated card may take a moment to show what it was given.
        for attempt in range(4):
            if attempt:
                self.guest.pump(0.5)
            photograph = self.taken(card)
            if all(self.are_as_wanted(photograph, text.split()[0]) for text in wanted):
                break
        self.keep("photograph", photograph)
        for text in wanted:
            self.expect_picture("photograph", "=", text.split()[0])

    def are_as_wanted(self, photograph, name):
        """Whether a photograph is like the picture; partly, if that has nothing over the map."""
        return not self.contradiction(photograph, self.pictures[name], name in self.bare)

    @staticmethod
    def contradiction(a, b, is_partly):
        """What is not as it should be, in words: both alike, or only most of them."""
        difference = a.difference(b)
        if not is_partly:
            return difference
        if not difference:
            return "nothing is over the map"
        return None if a.alike(b) >= SEEN else f"{difference}: too few are the map's"

    def expect_picture(self, first, comparison, second):
        a, b = self.pictures[first], self.pictures[second]
        if comparison == "!=" and not a.difference(b):
            raise Unmet(f"{first} and {second} are alike")
        if comparison == "=":
            problem = self.contradiction(a, b, (first in self.bare) != (second in self.bare))
            if problem:
                a.marked(b).write_png(os.path.join(self.folder, "difference.png"))
                raise Unmet(f"{first} and {second} differ: {problem}")
